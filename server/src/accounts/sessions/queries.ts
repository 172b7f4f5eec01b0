import type { Instant } from '../../base/clock.ts';
import type { ClientType, Role } from '../../base/domain/accounts.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db, Tx } from '../../database/database.ts';

export interface Session {
  readonly id: string;
  readonly accountId: number;
  readonly client: ClientType;
}

interface StoredRefreshToken {
  readonly refreshHash: string;
  readonly refreshExpiresAt: Instant;
}

/** Inserts a session. It replaces the previous session of the account and client type. */
export async function putSession(tx: Tx, session: Session & StoredRefreshToken, now: Instant): Promise<void> {
  const values = {
    id: session.id,
    refresh_hash: session.refreshHash,
    refresh_expires_at: session.refreshExpiresAt,
    created_at: now,
  };
  await tx
    .insertInto('session')
    .values({ ...values, account_id: session.accountId, client: session.client })
    .onConflict((conflict) => conflict.columns(['account_id', 'client']).doUpdateSet(values))
    .execute();
}

/**
 * Replaces a refresh token that is current and has not expired. Of several racing refreshes, one succeeds.
 */
export async function rotateRefresh(
  tx: Tx,
  oldHash: string,
  next: StoredRefreshToken,
  now: Instant,
): Promise<Session | undefined> {
  return tx
    .updateTable('session')
    .set({ refresh_hash: next.refreshHash, refresh_expires_at: next.refreshExpiresAt })
    .where('refresh_hash', '=', oldHash)
    .where('refresh_expires_at', '>', now)
    .returning(['id', 'account_id as accountId', 'client'])
    .executeTakeFirst();
}

export async function deleteSession(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('session').where('id', '=', id).execute();
}

export async function deleteSessionsOf(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('session').where('account_id', '=', accountId).execute();
}

export async function deleteSessionsUnusedSince(tx: Tx, instant: Instant): Promise<void> {
  await tx.deleteFrom('session').where('refresh_expires_at', '<=', instant).execute();
}

/** A statement can have only so many parameters. */
const MAX_PARAMETERS = 1_000;

/** Those of the sessions that exist and whose account is not banned. */
export async function findLiveSessions(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const live = new Set<string>();
  for (let from = 0; from < ids.length; from += MAX_PARAMETERS) {
    const rows = await db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account_id')
      .select('session.id')
      .where('session.id', 'in', ids.slice(from, from + MAX_PARAMETERS))
      .where('account.banned', '=', 0)
      .execute();
    for (const { id } of rows) live.add(id);
  }
  return live;
}

export interface LiveSession {
  readonly accountId: number;
  readonly username: string;
  readonly role: Role;
  readonly client: ClientType;
}

const LIVE_SESSION = new CompiledOnce<{ sessionId: string; accountId: number }, LiveSession>((db, value) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select(['account.id as accountId', 'account.username', 'account.role', 'session.client'])
    .where('session.id', '=', value('sessionId'))
    .where('account.id', '=', value('accountId'))
    .where('account.banned', '=', 0)
    .compile(),
);

/**
 * The session with that id, if it belongs to the account and the account is not banned. Runs for every request
 * with a token.
 */
export function findLiveSession(
  db: Db,
  sessionId: string,
  accountId: number,
): Promise<LiveSession | undefined> {
  return LIVE_SESSION.findFirst(db, { sessionId, accountId });
}
