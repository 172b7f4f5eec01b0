import { Failure } from '../../base/failure.ts';
import type { Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { findLiveSessions } from './queries.ts';

/**
 * Checks that the login of the caller has not ended. The transaction must have locked the account: what ends logins
 * must not leave a credential behind that one of them was just making.
 * @throws Failure `unauthenticated`
 */
export async function checkLoginIsLive(tx: Tx, { sessionId }: Caller): Promise<void> {
  const live = await findLiveSessions(tx, [sessionId]);
  if (live.size === 0) throw new Failure('unauthenticated', 'The login has ended. Please log in again.');
}
