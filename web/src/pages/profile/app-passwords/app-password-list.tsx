import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppPasswordRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatDate, formatTime } from '../../../messages/formats.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';

/** The app passwords, newest first, each with a button to delete it. */
export function AppPasswordList({ appPasswords }: { readonly appPasswords: readonly AppPasswordRecord[] }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [passwordToDelete, setPasswordToDelete] = useState<AppPasswordRecord>();
  const remove = useMutation({
    mutationFn: ({ id }: AppPasswordRecord) => ask('DELETE /api/user/app-passwords/{id}', { path: { id } }),
    onSuccess: () => notify(t('profile.appPasswordDeleted')),
    onError: notifyError,
    onSettled: () => {
      setPasswordToDelete(undefined);
      void queries.invalidateQueries({ queryKey: KEYS.appPasswords() });
      void queries.invalidateQueries({ queryKey: KEYS.securityChanges() });
    },
  });
  return (
    <>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {appPasswords.map((one) => (
          <Group component="li" key={one.id} justify="space-between" wrap="nowrap" align="flex-start">
            <Stack gap={2} miw={0}>
              <Group gap="xs">
                <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {one.name}
                </Text>
                <Badge variant="default" size="sm">
                  {t(`profile.scopes.${one.scope}`)}
                </Badge>
              </Group>
              <Text size="sm" c="dimmed">
                {one.lastUsedAt === null
                  ? t('profile.neverUsed')
                  : t('profile.lastUsed', { time: formatTime(one.lastUsedAt) })}
              </Text>
              {one.expiresAt !== null && (
                <Text size="sm" c="dimmed">
                  {t('profile.expires', { date: formatDate(one.expiresAt) })}
                </Text>
              )}
            </Stack>
            <Button
              variant="default"
              mih="var(--tap-size)"
              style={{ flexShrink: 0 }}
              aria-label={t('profile.deleteAppPassword', { name: one.name })}
              onClick={() => setPasswordToDelete(one)}
            >
              {t('profile.delete')}
            </Button>
          </Group>
        ))}
      </Stack>
      {passwordToDelete !== undefined && (
        <ConfirmDialog
          title={t('profile.deleteAppPassword', { name: passwordToDelete.name })}
          text={t('profile.deleteAppPasswordText')}
          action={t('profile.delete')}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(passwordToDelete)}
          onClose={() => setPasswordToDelete(undefined)}
        />
      )}
    </>
  );
}
