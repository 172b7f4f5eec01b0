import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';

/*
 * The total of all stored blobs, without reading every blob, and without a row that every upload would have
 * to lock. One row has the total of the blobs up to an id. A query adds the blobs after that id, and a
 * maintenance job moves the id forward. Blobs never change their size, so only the sweeper subtracts from the
 * total, while it locks the row.
 */

export interface StoredTotal {
  readonly objects: number;
  readonly bytes: number;
}

/** The total of all blobs, each counted once, including unreferenced ones whose bytes are still stored. */
export async function findStoredTotal(db: Db): Promise<StoredTotal> {
  const { rows } = await sql<StoredTotal>`
    select cast(objects + (select count(*) from blob where id > through_id) as bigint) as objects,
      cast(bytes + (select coalesce(sum(size), 0) from blob where id > through_id) as bigint) as bytes
    from blob_total`.execute(db);
  return rows[0] ?? { objects: 0, bytes: 0 };
}

/** How many ids follow the recorded total. Each belongs to a blob, or to one that was removed. */
export async function countUnsettledIds(db: Db): Promise<number> {
  const { rows } = await sql<{ ids: number }>`
    select (select coalesce(max(id), 0) from blob) - through_id as ids from blob_total`.execute(db);
  return rows[0]?.ids ?? 0;
}

/** Locks the total until the transaction ends. Returns the id of the last blob that it includes. */
export async function lockTotal(tx: Tx): Promise<number> {
  const { rows } = await sql<{ through_id: number }>`
    update blob_total set through_id = through_id returning through_id`.execute(tx);
  return rows[0]?.through_id ?? 0;
}

/** Adds to the total, which the transaction has locked. */
export async function addToTotal(
  tx: Tx,
  { throughId, objects, bytes }: StoredTotal & { throughId: number },
): Promise<void> {
  await sql`update blob_total
    set through_id = ${throughId}, objects = objects + ${objects}, bytes = bytes + ${bytes}`.execute(tx);
}

/**
 * Sums up to `limit` blobs after the id, and stops at the first that was created at or after `before`. Ids
 * are not committed in their order, so transactions that still run may insert smaller ids than a young blob
 * has.
 */
export async function sumNextBlobs(
  tx: Tx,
  throughId: number,
  before: Instant,
  limit: number,
): Promise<StoredTotal & { throughId: number }> {
  const { rows } = await sql<{ last_id: number | null; objects: number; bytes: number }>`
    with next as (
      select id, size, created_at from blob where id > ${throughId} order by id limit ${limit}
    )
    select max(id) as last_id, count(*) as objects, cast(coalesce(sum(size), 0) as bigint) as bytes
    from next
    where id < coalesce((select min(id) from next where created_at >= ${before}), ${Number.MAX_SAFE_INTEGER})`.execute(
    tx,
  );
  const [row] = rows;
  return { throughId: row?.last_id ?? throughId, objects: row?.objects ?? 0, bytes: row?.bytes ?? 0 };
}
