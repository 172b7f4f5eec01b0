import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import type { AccountSecurity, AuthMethods } from '../../api/contract.ts';
import { KEYS } from '../../api/keys.ts';

/** What protects the account of the user. */
export function useSecurity() {
  return useQuery({
    queryKey: KEYS.security(),
    queryFn: ({ signal }) => ask<AccountSecurity>('GET', '/api/user/security', { signal }),
  });
}

/** How people can log in here. */
export function useAuthMethods() {
  return useQuery({
    queryKey: KEYS.authMethods(),
    queryFn: ({ signal }) => ask<AuthMethods>('GET', '/api/auth/methods', { signal }),
  });
}
