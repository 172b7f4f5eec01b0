import { sql } from 'kysely';
import type { Db, Tx } from '../../database/database.ts';

/** The actual totals of the blobs that the row of `blob_total` covers, and the totals that it records. */
interface StoredTotals {
  readonly objects: number;
  readonly bytes: number;
  readonly recordedObjects: number;
  readonly recordedBytes: number;
}

export async function findTotals(db: Db): Promise<StoredTotals | undefined> {
  const { rows } = await sql<StoredTotals>`
    select blob_total.objects as "recordedObjects", blob_total.bytes as "recordedBytes",
      (select count(*) from blob where blob.id <= blob_total.through_id) as objects,
      (select cast(coalesce(sum(blob.size), 0) as bigint) from blob where blob.id <= blob_total.through_id) as bytes
    from blob_total`.execute(db);
  return rows[0];
}

/** Blocks changes to the totals, and removals of blobs, until the transaction ends. */
export async function lockTotals(tx: Tx): Promise<void> {
  await sql`update blob_total set through_id = through_id`.execute(tx);
}

export async function recountTotals(tx: Tx): Promise<void> {
  await sql`update blob_total set
    objects = (select count(*) from blob where blob.id <= blob_total.through_id),
    bytes = (select cast(coalesce(sum(blob.size), 0) as bigint) from blob where blob.id <= blob_total.through_id)`.execute(
    tx,
  );
}
