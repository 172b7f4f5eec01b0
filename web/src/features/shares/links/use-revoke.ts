import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { tell, tellError } from '../../../ui/tell.ts';

/** Ends a share. @param onDone also where somebody else has ended it before */
export function useRevoke(onDone: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: number) => {
      try {
        await ask('DELETE', `/api/v2/shares/${id}`);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: KEYS.shares() });
      onDone();
      tell(t('shares.revoked'));
    },
    onError: tellError,
  });
}
