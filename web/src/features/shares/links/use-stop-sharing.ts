import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';

/**
 * Deletes a share or a link.
 * @param address of the share or link in the API
 * @param onDone also called if it was deleted before
 */
export function useStopSharing(address: string, onDone: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await ask('DELETE', address);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
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
