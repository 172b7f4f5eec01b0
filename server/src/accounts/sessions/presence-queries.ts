import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';

interface Presence {
  readonly sessionId: string;
  readonly streamId: string;
  readonly until: Instant;
}

/** Returns the time until which the session is present; undefined if it is absent or has ended. */
export async function findPresence(db: Db, sessionId: string): Promise<Instant | undefined> {
  const session = await db
    .selectFrom('session')
    .select('present_until as until')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return session?.until ?? undefined;
}

/**
 * Returns false if the session is present already, or has ended. Of several racing streams, one gets true.
 */
export async function startPresence(
  tx: Tx,
  { sessionId, streamId, until }: Presence,
  now: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('session')
    .set({ present_until: until, present_by: streamId })
    .where('id', '=', sessionId)
    .where((where) => where.or([where('present_until', 'is', null), where('present_until', '<=', now)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function renewPresence(tx: Tx, { sessionId, streamId, until }: Presence): Promise<void> {
  await tx
    .updateTable('session')
    .set({ present_until: until, present_by: streamId })
    .where('id', '=', sessionId)
    .execute();
}

/**
 * Returns false, and changes nothing, if another stream has renewed the presence since, or the session has
 * ended.
 */
export async function endPresence(
  tx: Tx,
  { sessionId, streamId }: Pick<Presence, 'sessionId' | 'streamId'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('session')
    .set({ present_until: null, present_by: null })
    .where('id', '=', sessionId)
    .where('present_by', '=', streamId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
