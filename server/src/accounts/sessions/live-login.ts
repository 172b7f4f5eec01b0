import { Failure } from '../../base/failure.ts';
import type { Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { findLiveSessions } from './queries.ts';

/**
 * Checks that the login of the caller has not ended. The transaction must have locked the account. A request
 * that adds a credential checks this again, because the session may have ended since the request began:
 * whoever changes the password must be sure that a stolen session adds nothing afterwards.
 * @throws Failure `unauthenticated`
 */
export async function checkLoginIsLive(tx: Tx, { sessionId }: Pick<Caller, 'sessionId'>): Promise<void> {
  const live = await findLiveSessions(tx, [sessionId]);
  if (live.size === 0) throw new Failure('unauthenticated', 'The login has ended. Please log in again.');
}
