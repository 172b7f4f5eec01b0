import type { Instant } from '../../base/clock.ts';
import type { ObjectClaims } from '../../blobs/blobs.ts';
import type { Db } from '../../database/database.ts';
import { UNFINISHED } from '../upload-session.ts';
import { hasStatus } from './session-queries.ts';

/** Claims the objects of unfinished upload sessions, so that the sweeper does not remove them. */
export const sessionClaims: ObjectClaims = { findClaimedKeys, findOldest: findOldestCreation };

/** Selects the keys that belong to unfinished sessions. */
async function findClaimedKeys(db: Db, keys: readonly string[]): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom('upload_session')
    .select(['object_key', 'stored_key', 'tail_key'])
    .where(hasStatus(UNFINISHED))
    .where((where) =>
      where.or([
        where('object_key', 'in', keys),
        where('stored_key', 'in', keys),
        where('tail_key', 'in', keys),
      ]),
    )
    .execute();
  return rows.flatMap((row) => [row.object_key, row.stored_key, row.tail_key].filter((key) => key !== null));
}

/** When the oldest unfinished session was created. */
async function findOldestCreation(db: Db): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('upload_session')
    .select((select) => select.fn.min('created_at').as('oldest'))
    .where(hasStatus(UNFINISHED))
    .executeTakeFirst();
  return row?.oldest ?? undefined;
}
