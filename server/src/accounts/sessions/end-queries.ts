import type { Instant } from '../../base/clock.ts';
import type { SessionEnd } from '../../base/domain/accounts.ts';
import type { Db, Tx } from '../../database/database.ts';

/** A session that was deleted. */
export interface DeletedSession {
  readonly id: string;
  readonly account_id: number;
  readonly refresh_hash: string;
}

/** The columns of a deleted session that `returning` asks for. */
export const DELETED_COLUMNS = ['id', 'account_id', 'refresh_hash'] as const;

/**
 * The maximum number of ends stored per account, so that no one can fill the table by logging in repeatedly.
 */
const MAX_ENDS = 100;

/** Records why the sessions that this transaction deleted have ended. */
export async function insertEnds(
  tx: Tx,
  sessions: readonly DeletedSession[],
  { cause, expiresAt }: { readonly cause: SessionEnd; readonly expiresAt: Instant },
): Promise<void> {
  if (sessions.length === 0) return;
  await tx
    .insertInto('ended_session')
    .values(sessions.map((session) => ({ ...session, cause, expires_at: expiresAt })))
    .execute();
}

/** Deletes the oldest ends of an account that has too many. */
export async function deleteSurplusEnds(tx: Tx, accountId: number): Promise<void> {
  await tx
    .deleteFrom('ended_session')
    .where('account_id', '=', accountId)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('ended_session as kept')
        .select('kept.id')
        .where('kept.account_id', '=', accountId)
        .orderBy('kept.expires_at', 'desc')
        .orderBy('kept.id')
        .limit(MAX_ENDS),
    )
    .execute();
}

/** Why the session with that id ended; undefined if that is not known. */
export async function findEnd(
  db: Db,
  { sessionId, accountId }: { readonly sessionId: string; readonly accountId: number },
  now: Instant,
): Promise<SessionEnd | undefined> {
  const ended = await selectEnds(db, now)
    .where('id', '=', sessionId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (ended !== undefined) return ended.cause;
  const banned = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select('session.id')
    .where('session.id', '=', sessionId)
    .where('account.id', '=', accountId)
    .where('account.banned', '=', 1)
    .executeTakeFirst();
  return banned === undefined ? undefined : 'banned';
}

/** Why the session with this last refresh token ended; undefined if that is not known. */
export async function findEndByRefresh(
  db: Db,
  refreshHash: string,
  now: Instant,
): Promise<SessionEnd | undefined> {
  const ended = await selectEnds(db, now).where('refresh_hash', '=', refreshHash).executeTakeFirst();
  if (ended !== undefined) return ended.cause;
  const expired = await db
    .selectFrom('session')
    .select('id')
    .where('refresh_hash', '=', refreshHash)
    .where('refresh_expires_at', '<=', now)
    .executeTakeFirst();
  return expired === undefined ? undefined : 'expired';
}

function selectEnds(db: Db, now: Instant) {
  return db.selectFrom('ended_session').select('cause').where('expires_at', '>', now);
}
