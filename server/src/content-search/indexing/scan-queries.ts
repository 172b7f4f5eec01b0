import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';
import { DRIVE, HAS_TEXT } from './queue-queries.ts';

/** Up to which blob the queue has been filled. */
export async function findScanned(db: Db): Promise<number> {
  const { rows } = await sql<{ through_id: number }>`select through_id from text_scan`.execute(db);
  return rows[0]?.through_id ?? 0;
}

/** Inserts the only row if it was lost, so all blobs are looked at again. */
export async function restoreScan(tx: Tx): Promise<void> {
  await sql`insert into text_scan (through_id) select 0 where not exists (select 1 from text_scan)`.execute(
    tx,
  );
}

export async function hasBlobAfter(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from blob where id > ${id} limit 1`.execute(db);
  return rows.length > 0;
}

interface ScanPage {
  readonly after: number;
  readonly limit: number;
  readonly now: Instant;
  /** Blobs that were stored since then come first. */
  readonly newSince: Instant;
}

/**
 * Adds the next blobs that are not in the queue yet.
 * @returns the id of the last blob that was looked at; undefined if there is none
 */
export async function addNextBlobs(tx: Tx, page: ScanPage): Promise<number | undefined> {
  const { after, limit, now, newSince } = page;
  const { rows } = await sql<{ last_id: number | null }>`
    select max(id) as last_id from (
      select id from blob where id > ${after} order by id limit ${limit}
    ) as page`.execute(tx);
  const lastId = rows[0]?.last_id ?? undefined;
  if (lastId === undefined) return undefined;
  await sql`
    insert into text_queue (blob_id, drive_id, state, is_backlog, due_at)
    select blob.id, ${DRIVE}, 'WAITING', case when blob.created_at >= ${newSince} then 0 else 1 end,
      cast(${now} as bigint)
    from blob
    where blob.id > ${after} and blob.id <= ${lastId} and ${HAS_TEXT}
      and not exists (select 1 from text_queue where text_queue.blob_id = blob.id)
    on conflict (blob_id) do nothing`.execute(tx);
  return lastId;
}

/** A range of time. */
interface Period {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * Records that all blobs up to an id have been looked at, except young ones: transactions that still run may
 * insert smaller ids than a young blob has.
 * @param scanned what was recorded before
 * @param young when young blobs were stored
 * @returns what is recorded now; undefined if someone else has changed it
 */
export async function putScanned(
  tx: Tx,
  { scanned, throughId, young }: { scanned: number; throughId: number; young: Period },
): Promise<number | undefined> {
  const { rows } = await sql<{ through_id: number }>`
    update text_scan set through_id = coalesce((
      select max(id) from blob where id > ${scanned} and id <= ${throughId} and id < coalesce(
        (select min(id) from blob
          where id > ${scanned} and id <= ${throughId}
            and created_at >= ${young.from} and created_at < ${young.to}),
        ${Number.MAX_SAFE_INTEGER})
    ), through_id)
    where through_id = ${scanned} returning through_id`.execute(tx);
  return rows[0]?.through_id;
}

export async function putLastError(tx: Tx, error: string, now: Instant): Promise<void> {
  await sql`update text_scan set last_error = ${error}, last_error_at = ${now}`.execute(tx);
}

/** Forgets the last error if no text waits. */
export async function clearLastError(tx: Tx): Promise<void> {
  await sql`
    update text_scan set last_error = null, last_error_at = null
    where last_error is not null
      and not exists (select 1 from text_queue where state in ('WAITING', 'CLAIMED'))`.execute(tx);
}
