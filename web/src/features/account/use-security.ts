import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';

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
