import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ShareSummary } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { ask, queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { currentSession } from '../../../api/session.ts';
import { useSession } from '../../../api/use-session.ts';
import { findEnteredPassword, notePasswordChange, storeEnteredPassword } from './entered-passwords.ts';

// Every request counts as a view, so nothing is refetched automatically.
const ONCE = { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false } as const;

/** The parts of a share that the visitor may see. */
export function useShare(token: string) {
  return useQuery({
    queryKey: KEYS.sharedWith(useSession()?.user.id, token),
    queryFn: () => loadShare(token),
    ...ONCE,
  });
}

/** A legacy link. */
export function useShareLink(token: string) {
  return useQuery({
    ...queryOf(KEYS.sharedWith(useSession()?.user.id, token), 'GET /api/files/share-links/{token}', {
      path: { token },
    }),
    ...ONCE,
  });
}

/** Verifies the password and shows the share. @throws HoldallError 403 if it is wrong */
export function useEnterPassword(token: string): (password: string) => Promise<ShareSummary> {
  const queries = useQueryClient();
  return async (password) => {
    const share = await verify(token, password);
    storeEnteredPassword(token, password);
    cacheShare(queries, share);
    return share;
  };
}

/**
 * Reads the current state of the share. This does not count as a view. It also renews the cookie that
 * downloads of a protected share need.
 */
export function useCheckShare(token: string): () => Promise<ShareSummary> {
  const queries = useQueryClient();
  return async () => {
    const share = await verify(token, findEnteredPassword(token) ?? '');
    cacheShare(queries, share);
    return share;
  };
}

async function loadShare(token: string): Promise<ShareSummary> {
  const password = findEnteredPassword(token);
  if (password !== undefined) {
    try {
      return await verify(token, password);
    } catch (error) {
      if (!(error instanceof HoldallError && error.status === 403)) throw error;
      notePasswordChange(token);
    }
  }
  return ask('GET /api/v2/shares/{token}', { path: { token } });
}

function verify(token: string, password: string): Promise<ShareSummary> {
  return ask('POST /api/v2/shares/{token}/verify-password', { path: { token }, body: { password } });
}

function cacheShare(queries: QueryClient, share: ShareSummary): void {
  queries.setQueryData(KEYS.sharedWith(currentSession()?.user.id, share.token), share);
}
