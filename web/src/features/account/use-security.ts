import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';

/** The security settings of the user's account. */
export function useSecurity() {
  return useQuery({
    queryKey: KEYS.security(),
    queryFn: ({ signal }) => ask('GET /api/user/security', { signal }),
  });
}

/** The ways to log in that this service offers. */
export function useAuthMethods() {
  return useQuery({
    queryKey: KEYS.authMethods(),
    queryFn: ({ signal }) => ask('GET /api/auth/methods', { signal }),
  });
}
