import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PasskeyRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { useNotifyProofError } from '../../../features/account/notify-proof-error.ts';
import { useOwnerProof } from '../../../features/account/owner-proof.tsx';
import { formatTime } from '../../../messages/formats.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';

/** The passkeys, newest first, each with a button to delete it. */
export function PasskeyList() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [passkeyToDelete, setPasskeyToDelete] = useState<PasskeyRecord>();
  const { data, error, refetch } = useQuery({
    queryKey: KEYS.passkeys(),
    queryFn: ({ signal }) => ask('GET /api/user/passkeys', { signal }),
  });
  const { runWithProof, dialog } = useOwnerProof();
  const remove = useMutation({
    mutationFn: ({ id }: PasskeyRecord) =>
      runWithProof((body) => ask('DELETE /api/user/passkeys/{id}', { path: { id }, body })),
    // Another dialog may open next, which asks for the password.
    onMutate: () => setPasskeyToDelete(undefined),
    onSuccess: () => notify(t('security.passkeyDeleted')),
    onError: useNotifyProofError(),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: KEYS.passkeys() });
      void queries.invalidateQueries({ queryKey: KEYS.security() });
    },
  });
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <>
      {dialog}
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.map((passkey) => (
          <Group component="li" key={passkey.id} justify="space-between" wrap="nowrap" align="flex-start">
            <Stack gap={2} miw={0}>
              <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                {passkey.name}
              </Text>
              <Text size="sm" c="dimmed">
                {passkey.lastUsedAt === null
                  ? t('security.passkeyUnused')
                  : t('security.passkeyUsed', { time: formatTime(passkey.lastUsedAt) })}
              </Text>
              <Text size="sm" c="dimmed">
                {t('security.passkeyMade', { time: formatTime(passkey.createdAt) })}
              </Text>
            </Stack>
            <Button
              variant="default"
              mih="var(--tap-size)"
              style={{ flexShrink: 0 }}
              aria-label={t('security.deletePasskey', { name: passkey.name })}
              onClick={() => setPasskeyToDelete(passkey)}
            >
              {t('security.delete')}
            </Button>
          </Group>
        ))}
      </Stack>
      {passkeyToDelete !== undefined && (
        <ConfirmDialog
          title={t('security.deletePasskey', { name: passkeyToDelete.name })}
          text={t('security.deletePasskeyText')}
          action={t('security.delete')}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(passkeyToDelete)}
          onClose={() => setPasskeyToDelete(undefined)}
        />
      )}
    </>
  );
}
