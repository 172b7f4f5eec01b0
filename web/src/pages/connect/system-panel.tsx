import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import { QrCode } from '../../ui/qr/qr-code.tsx';
import { AccessValues } from './access-values.tsx';
import { Entered } from './entered.tsx';
import { toPhoneAddress } from './phone-address.ts';
import { ProgramSteps } from './program-steps.tsx';
import type { Access, Device, System } from './systems.ts';

interface SystemPanelProps {
  readonly system: System;
  readonly access: Omit<Access, 'password'>;
  readonly device: Device;
  readonly isOn: boolean;
}

/** A new app password for a device, and the steps for its programs with everything filled in. */
export function SystemPanel({ system, access, device, isOn }: SystemPanelProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const isHere = system.name === device.system;
  const name = (isHere ? device.name : undefined) ?? t(`connect.devices.${system.name}`);
  const create = useMutation({
    mutationFn: () => ask('POST /api/user/app-passwords', { body: { name, scope: 'WRITE' } }),
    onError: notifyError,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: KEYS.appPasswords() });
      void queries.invalidateQueries({ queryKey: KEYS.securityChanges() });
    },
  });
  const password = create.data?.password;
  return (
    <Stack gap="lg">
      <AccessValues
        access={access}
        password={
          password === undefined ? (
            <Stack gap="xs" align="flex-start">
              <Text size="sm" c="dimmed">
                {t('connect.passwordHint')}
              </Text>
              <Button
                mih="var(--tap-size)"
                disabled={!isOn}
                loading={create.isPending}
                onClick={() => create.mutate()}
              >
                {t(system.name === 'phone' && !isHere ? 'connect.createQr' : 'connect.createAppPassword')}
              </Button>
            </Stack>
          ) : (
            <>
              <Entered text={password} name={t('connect.password')} />
              <Text size="sm" c="dimmed" mt={4} role="status">
                {t('connect.shownOnce', { name })}{' '}
                <Anchor
                  renderRoot={(props) => (
                    <Link {...props} to="/profile/{-$part}" params={{ part: 'apps' }} hash="app-passwords" />
                  )}
                  underline="always"
                  inherit
                >
                  {t('connect.showAppPasswords')}
                </Anchor>
              </Text>
            </>
          )
        }
      />
      {password !== undefined && system.name === 'phone' && !isHere && (
        <Stack gap="xs">
          <Text size="sm">{t('connect.qrHint')}</Text>
          <QrCode
            text={toPhoneAddress(location.origin, { username: access.username, password })}
            label={t('connect.qr')}
            width={220}
          />
        </Stack>
      )}
      <ProgramSteps system={system} access={{ ...access, password: password ?? 'APP-PASSWORD' }} order={3} />
    </Stack>
  );
}
