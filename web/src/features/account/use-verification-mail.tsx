import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { notify } from '../../ui/notifications/notify.ts';
import { useNotifyProofError, useOwnerProof } from './owner-proof.tsx';

/** Requests a mail with the link that verifies the user's address. The page must render `dialog`. */
export function useVerificationMail(email: string): {
  readonly send: () => void;
  readonly isPending: boolean;
  readonly dialog: ReactNode;
} {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { runWithProof, dialog } = useOwnerProof();
  const notifyProofError = useNotifyProofError();
  const request = useMutation({
    mutationFn: () => runWithProof((proof) => ask('POST /api/auth/email-verification', { body: proof })),
    onSuccess: () => notify(t('mail.verificationSent', { email })),
    onError: (error) => {
      notifyProofError(error);
      // The address may have been verified on another device.
      void queries.invalidateQueries({ queryKey: KEYS.profile() });
    },
  });
  return { send: () => request.mutate(), isPending: request.isPending, dialog };
}
