import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountSecurity, RecoveryCodes, TotpEnrolment } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { OwnerDialog } from '../../../features/account/owner-dialog.tsx';
import { RecoveryCodeList } from '../../../features/account/second-factors/recovery-code-list.tsx';
import { TotpSetup } from '../../../features/account/second-factors/totp-setup.tsx';
import { useTotpStart } from '../../../features/account/second-factors/use-totp-start.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { Hint, Section } from '../section.tsx';

type Act = 'renew' | 'remove';

interface TotpSectionProps {
  /** Undefined while it is loading. */
  readonly security: AccountSecurity | undefined;
}

/** Shows whether an authenticator app is set up, with buttons to change that. */
export function TotpSection({ security }: TotpSectionProps) {
  const { t } = useTranslation();
  const state = security && t(security.totp ? 'security.on' : 'security.off');
  return (
    <Section title={t('security.app')} state={state} id="security">
      <Hint>{t('security.hint')}</Hint>
      {security !== undefined && <Totp security={security} />}
    </Section>
  );
}

function Totp({ security }: { readonly security: AccountSecurity }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [act, setAct] = useState<Act>();
  const [enrolment, setEnrolment] = useState<TotpEnrolment>();
  const { start, dialog } = useTotpStart(setEnrolment);
  const [codes, setCodes] = useState<readonly string[]>();
  const close = () => {
    setAct(undefined);
    setEnrolment(undefined);
    setCodes(undefined);
    void queries.invalidateQueries({ queryKey: KEYS.security() });
  };
  const show = ({ recoveryCodes }: RecoveryCodes) => {
    setAct(undefined);
    setEnrolment(undefined);
    setCodes(recoveryCodes);
  };
  return (
    <>
      <Text size="sm">{t(textOf(security))}</Text>
      {security.totp && (
        <Text size="sm">{t('security.codesLeft', { count: security.recoveryCodesLeft })}</Text>
      )}
      <Group>
        {!security.totp && (
          <Button
            variant="default"
            mih="var(--tap-size)"
            loading={start.isPending}
            onClick={() => start.mutate()}
          >
            {t('security.setUpApp')}
          </Button>
        )}
        {security.totp && (
          <Button variant="default" mih="var(--tap-size)" onClick={() => setAct('renew')}>
            {t('security.renewCodes')}
          </Button>
        )}
        {security.totp && (
          <Button variant="default" mih="var(--tap-size)" onClick={() => setAct('remove')}>
            {t('security.removeApp')}
          </Button>
        )}
      </Group>
      {dialog}
      {enrolment !== undefined && (
        <Dialog onClose={close} closeOnClickOutside={false} title={t('security.setUpTitle')}>
          <TotpSetup enrolment={enrolment} onConfirmed={show} />
        </Dialog>
      )}
      {act === 'renew' && (
        <OwnerDialog
          title={t('security.renewCodes')}
          text={t('security.renewText')}
          action={t('security.renewCodes')}
          hasPassword={security.hasPassword}
          perform={(body) => ask('POST /api/user/totp/recovery-codes', { body })}
          onDone={show}
          onClose={close}
        />
      )}
      {act === 'remove' && (
        <OwnerDialog
          title={t('security.removeApp')}
          text={t('security.removeAppText')}
          action={t('security.removeApp')}
          hasPassword={security.hasPassword}
          perform={(body) => ask('DELETE /api/user/totp', { body })}
          onDone={() => {
            close();
            notify(t('security.removeAppDone'));
          }}
          onClose={close}
        />
      )}
      {codes !== undefined && (
        // The codes are shown only once, so the dialog closes only with its own button.
        <Dialog
          onClose={close}
          closeOnClickOutside={false}
          closeOnEscape={false}
          withCloseButton={false}
          title={t('security.codesTitle')}
        >
          <RecoveryCodeList codes={codes} onDone={close} />
        </Dialog>
      )}
    </>
  );
}

function textOf({ totp, passkeys, identities }: AccountSecurity) {
  if (totp) return 'security.appOn';
  const isPasswordOnly = passkeys === 0 && identities.length === 0;
  return isPasswordOnly ? 'security.appOff' : 'security.appOffElse';
}
