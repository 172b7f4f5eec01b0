import { useMutation } from '@tanstack/react-query';
import type { TotpEnrolment } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { useNotifyProofError, useOwnerProof } from '../owner-proof.tsx';

/** Starts to set up an authenticator app. The page must render `dialog`. */
export function useTotpStart(onStarted: (enrolment: TotpEnrolment) => void) {
  const { runWithProof, dialog } = useOwnerProof();
  const start = useMutation({
    mutationFn: () => runWithProof((body) => ask('POST /api/user/totp', { body })),
    onSuccess: onStarted,
    onError: useNotifyProofError(),
  });
  return { start, dialog };
}
