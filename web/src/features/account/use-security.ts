import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask, queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { notify, notifyError } from '../../ui/notifications/notify.ts';

/** The security settings of the user's account. */
export function useSecurity() {
  return useQuery(queryOf(KEYS.security(), 'GET /api/user/security'));
}

/** The ways to log in that this service offers. */
export function useAuthMethods() {
  return useQuery(queryOf(KEYS.authMethods(), 'GET /api/auth/methods'));
}

/** Whether the service sends mail. False until the response has arrived. */
export function useIsMailOn(): boolean {
  // Nothing but mail can reset a password.
  return useAuthMethods().data?.passwordReset === true;
}

/** Requests another mail with the link that verifies the user's address. */
export function useVerificationMail(email: string) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => ask('POST /api/auth/email-verification'),
    onSuccess: () => notify(t('mail.verificationSent', { email })),
    onError: (error) => {
      notifyError(error);
      // The address may have been verified on another device.
      void queries.invalidateQueries({ queryKey: KEYS.profile() });
    },
  });
}
