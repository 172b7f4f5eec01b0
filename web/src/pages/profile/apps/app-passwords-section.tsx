import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppPasswordRecord, NewAppPassword } from '../../../../../client/src/client.ts';
import { ask, queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatDate, formatTime } from '../../../messages/formats.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { QrCode } from '../../../ui/qr/qr-code.tsx';
import { RemovableList } from '../account-list.tsx';
import { Hint } from '../section.tsx';
import { AppPasswordForm } from './app-password-form.tsx';

/** The passwords for programs that use the drive on behalf of the user. */
export function AppPasswordsSection() {
  const { t } = useTranslation();
  const [created, setCreated] = useState<NewAppPassword>();
  const { data, error, refetch } = useQuery(queryOf(KEYS.appPasswords(), 'GET /api/user/app-passwords'));
  return (
    <Stack gap="lg">
      <Hint>{t('profile.appPasswordsHint')}</Hint>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length > 0 && <AppPasswordList appPasswords={data} />}
      <AppPasswordForm onCreated={setCreated} />
      {created !== undefined && <CreatedDialog appPassword={created} onClose={() => setCreated(undefined)} />}
    </Stack>
  );
}

/** The app passwords, newest first, each with a button to delete it. */
function AppPasswordList({ appPasswords }: { readonly appPasswords: readonly AppPasswordRecord[] }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ id }: AppPasswordRecord) => ask('DELETE /api/user/app-passwords/{id}', { path: { id } }),
    onSuccess: () => notify(t('profile.appPasswordDeleted')),
    onError: notifyError,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: KEYS.appPasswords() });
      void queries.invalidateQueries({ queryKey: KEYS.securityChanges() });
    },
  });
  return (
    <RemovableList
      items={appPasswords}
      rowOf={({ name, scope, lastUsedAt, expiresAt }) => ({
        name,
        badge: t(`profile.scopes.${scope}`),
        facts: [
          lastUsedAt === null
            ? t('profile.neverUsed')
            : t('profile.lastUsed', { time: formatTime(lastUsedAt) }),
          ...(expiresAt === null ? [] : [t('profile.expires', { date: formatDate(expiresAt) })]),
        ],
        action: t('profile.delete'),
        actionOf: t('profile.deleteAppPassword', { name }),
      })}
      question={t('profile.deleteAppPasswordText')}
      isPending={remove.isPending}
      onRemove={(appPassword, close) => remove.mutate(appPassword, { onSettled: close })}
    />
  );
}

/** Shows a new app password. It is never shown again. */
function CreatedDialog({
  appPassword: { name, password },
  onClose,
}: {
  readonly appPassword: NewAppPassword;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    // A click outside would lose the password.
    <Dialog onClose={onClose} closeOnClickOutside={false} title={t('profile.createdTitle', { name })}>
      <Stack>
        <Text>{t('profile.createdText')}</Text>
        <Code block fz="md" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {password}
        </Code>
        <Group justify="center">
          <QrCode text={password} label={t('profile.createdQr')} width={176} />
        </Group>
        <Group justify="flex-end">
          <CopyButton text={password} label={t('profile.copyAppPassword')} isFirst mih="var(--tap-size)" />
          <Button mih="var(--tap-size)" onClick={onClose}>
            {t('profile.done')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
