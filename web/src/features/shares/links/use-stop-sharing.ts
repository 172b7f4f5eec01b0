import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { KEYS } from '../../../api/keys.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';

/**
 * Deletes a share or a link.
 * @param remove deletes it at the service
 * @param onDone also called if it was deleted before
 */
export function useStopSharing(remove: () => Promise<null>, onDone: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await remove();
      } catch (error) {
        if (!(error instanceof HoldallError && error.status === 404)) throw error;
      }
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: KEYS.shares() });
      onDone();
      notify(t('shares.revoked'));
    },
    onError: notifyError,
  });
}
