import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import type { PastEvent } from './file-event.ts';
import { PAST_EVENT_COLUMNS } from './queries.ts';

/*
 * The changes in a shared drive that every member may see and that a member or a visitor made. Those of the
 * service itself have neither the id nor the name of an actor.
 */

/** The conditions of the index `event__activity`. */
const IS_ACTIVITY = sql<boolean>`reader_id is null and (actor_id is not null or actor_name is not null)`;

/** The drive's changes before an id, the newest first. */
export async function findChangesBefore(
  db: Db,
  driveId: number,
  beforeId: number,
  limit: number,
): Promise<readonly PastEvent[]> {
  return db
    .selectFrom('event')
    .select(PAST_EVENT_COLUMNS)
    .where('drive_id', '=', driveId)
    .where('id', '<', beforeId)
    .where(IS_ACTIVITY)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Those of the events that still exist, the newest first. */
export async function findChangesByIds(db: Db, ids: readonly number[]): Promise<readonly PastEvent[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('event')
    .select(PAST_EVENT_COLUMNS)
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute();
}

/** The drive's newest change, and whether an older event still exists. */
export async function findNewestChange(
  db: Db,
  driveId: number,
  olderId: number,
): Promise<{ readonly newest: number | null; readonly hasOlder: boolean }> {
  const { newest, older } = await db
    .selectNoFrom((select) => [
      select
        .selectFrom('event')
        .select(sql<number>`max(id)`.as('id'))
        .where('drive_id', '=', driveId)
        .where(IS_ACTIVITY)
        .as('newest'),
      select.selectFrom('event').select('id').where('id', '=', olderId).as('older'),
    ])
    .executeTakeFirstOrThrow();
  return { newest, hasOlder: older !== null };
}
