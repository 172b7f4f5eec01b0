import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';

export interface TotalLook {
  readonly objects: number;
  readonly bytes: number;
  readonly kept_objects: number;
  readonly kept_bytes: number;
}

/** What the blobs have that are in the kept total, and what that says. */
export async function findTotals(db: Db): Promise<TotalLook | undefined> {
  const { rows } = await sql<TotalLook>`
    select blob_total.objects as kept_objects, blob_total.bytes as kept_bytes,
      (select count(*) from blob where blob.id <= blob_total.through_id) as objects,
      (select cast(coalesce(sum(blob.size), 0) as bigint) from blob where blob.id <= blob_total.through_id) as bytes
    from blob_total`.execute(db);
  return rows[0];
}

/** Nobody changes the total, nor removes a blob, until the transaction ends. */
export async function holdTotals(tx: Tx): Promise<void> {
  await sql`update blob_total set through_id = through_id`.execute(tx);
}

export async function putTotals(tx: Tx): Promise<void> {
  await sql`update blob_total set
    objects = (select count(*) from blob where blob.id <= blob_total.through_id),
    bytes = (select cast(coalesce(sum(blob.size), 0) as bigint) from blob where blob.id <= blob_total.through_id)`.execute(
    tx,
  );
}
