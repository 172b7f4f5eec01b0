import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';

/*
 * How much is stored, without reading every blob and without a row that every upload would have to wait for. One row has
 * the sum of all blobs up to an id; what is behind that id is summed up by whoever asks, and taken into the row by a chore.
 * Blobs never change their size, so only their removal takes from the sum: by the sweeper, which holds the row meanwhile.
 */

export interface StoredTotal {
  readonly objects: number;
  readonly bytes: number;
}

/** What all blobs have, each once, those too that nothing refers to and whose bytes are still there. */
export async function findStoredTotal(db: Db): Promise<StoredTotal> {
  const { rows } = await sql<StoredTotal>`
    select cast(objects + (select count(*) from blob where id > through_id) as bigint) as objects,
      cast(bytes + (select coalesce(sum(size), 0) from blob where id > through_id) as bigint) as bytes
    from blob_total`.execute(db);
  return rows[0] ?? { objects: 0, bytes: 0 };
}

/** Makes the transaction the only one that changes the total, until it ends; gives up to which id it counts. */
export async function lockTotal(tx: Tx): Promise<number> {
  const { rows } = await sql<{ through_id: number }>`
    update blob_total set through_id = through_id returning through_id`.execute(tx);
  return rows[0]?.through_id ?? 0;
}

/** Changes the held total. */
export async function addToTotal(
  tx: Tx,
  { throughId, objects, bytes }: StoredTotal & { throughId: number },
): Promise<void> {
  await sql`update blob_total
    set through_id = ${throughId}, objects = objects + ${objects}, bytes = bytes + ${bytes}`.execute(tx);
}

/**
 * What the next blobs behind the id have, at most so many; up to the first that is younger than `before`. Ids are not
 * committed in their order: behind a young one there may be gaps that are still to be filled.
 */
export async function sumNextBlobs(
  tx: Tx,
  throughId: number,
  before: Instant,
  most: number,
): Promise<StoredTotal & { throughId: number }> {
  const { rows } = await sql<{ last_id: number | null; objects: number; bytes: number }>`
    with next as (
      select id, size, created_at from blob where id > ${throughId} order by id limit ${most}
    )
    select max(id) as last_id, count(*) as objects, cast(coalesce(sum(size), 0) as bigint) as bytes
    from next
    where id < coalesce((select min(id) from next where created_at >= ${before}), ${Number.MAX_SAFE_INTEGER})`.execute(
    tx,
  );
  const [row] = rows;
  return { throughId: row?.last_id ?? throughId, objects: row?.objects ?? 0, bytes: row?.bytes ?? 0 };
}
