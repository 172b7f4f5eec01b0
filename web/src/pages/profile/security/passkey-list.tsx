import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PasskeyRecord } from '../../../../../client/src/client.ts';
import { ask, queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { useNotifyProofError, useOwnerProof } from '../../../features/account/owner-proof.tsx';
import { formatTime } from '../../../messages/formats.ts';
import { notify } from '../../../ui/notifications/notify.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { RemovableList } from '../account-list.tsx';

/** The passkeys, newest first, each with a button to delete it. */
export function PasskeyList() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(queryOf(KEYS.passkeys(), 'GET /api/user/passkeys'));
  const { runWithProof, dialog } = useOwnerProof();
  const remove = useMutation({
    mutationFn: ({ id }: PasskeyRecord) =>
      runWithProof((body) => ask('DELETE /api/user/passkeys/{id}', { path: { id }, body })),
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
      <RemovableList
        items={data}
        rowOf={({ name, lastUsedAt, createdAt }) => ({
          name,
          facts: [
            lastUsedAt === null
              ? t('security.passkeyUnused')
              : t('security.passkeyUsed', { time: formatTime(lastUsedAt) }),
            t('security.passkeyMade', { time: formatTime(createdAt) }),
          ],
          action: t('security.delete'),
          actionOf: t('security.deletePasskey', { name }),
        })}
        question={t('security.deletePasskeyText')}
        isPending={remove.isPending}
        onRemove={(passkey, close) => {
          // Another dialog may open next, which asks for the password.
          close();
          remove.mutate(passkey);
        }}
      />
    </>
  );
}
