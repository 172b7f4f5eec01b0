import { sql } from 'kysely';
import type { ReferenceCounts } from '../../blobs/blobs.ts';
import type { Db, Tx } from '../../database/database.ts';

/*
 * A tree that is deleted in several transactions is marked first: its root gets the negative of its id as
 * `bin_root_id`. So the bin no longer lists it, and its other entries can still be found by the root's id.
 */

/** A range of ids that excludes `before`. */
interface IdRange {
  readonly from: number;
  readonly before: number;
}

/** Removes a tree from the bin. Its entries still exist. */
export async function markPurged(tx: Tx, rootId: number): Promise<void> {
  await tx.updateTable('entry').set({ bin_root_id: -rootId }).where('id', '=', rootId).execute();
}

/** The marked trees of one drive; without `driveId`, those of all drives. */
export async function findMarkedRoots(
  db: Db,
  maxRoots: number,
  driveId?: number,
): Promise<readonly { readonly id: number; readonly driveId: number }[]> {
  const marked = db.selectFrom('entry').select(['id', 'drive_id as driveId']).where('bin_root_id', '<', 0);
  const wanted = driveId === undefined ? marked : marked.where('drive_id', '=', driveId);
  return await wanted.limit(maxRoots).execute();
}

/** Deletes the root of a drive that has no other entries. */
export async function deleteDriveRoot(tx: Tx, driveId: number): Promise<void> {
  await tx
    .deleteFrom('entry')
    .where('drive_id', '=', driveId)
    .where('parent_id', 'is', null)
    .where('deleted_at', 'is', null)
    .execute();
}

/**
 * The lowest id of the next batch, which has the highest ids of a marked tree below `before`; undefined if
 * there are none.
 */
export async function findStartOfBatch(
  tx: Tx,
  rootId: number,
  before: number,
  maxEntries: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number | null }>`
    select min(id) as id from (
      select id from entry where bin_root_id = ${rootId} and id < ${before} order by id desc limit ${maxEntries}
    ) as batch`.execute(tx);
  return rows[0]?.id ?? undefined;
}

/** The bytes of the files and their versions in the range. */
export async function sumKeptInRange(tx: Tx, rootId: number, { from, before }: IdRange): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    with file as (
      select id, size from entry where bin_root_id = ${rootId} and id >= ${from} and id < ${before}
        and blob_id is not null
    )
    select cast((select coalesce(sum(size), 0) from file)
      + (select coalesce(sum(file_version.size), 0) from file_version join file on file.id = file_version.entry_id)
      as bigint) as bytes`.execute(tx);
  return rows[0]?.bytes ?? 0;
}

/** Counts how often the files and their versions refer to each blob. */
export function countUsesInRange(tx: Tx, rootId: number, { from, before }: IdRange): ReferenceCounts {
  const files = tx
    .selectFrom('entry')
    .select('blob_id')
    .where('bin_root_id', '=', rootId)
    .where('id', '>=', from)
    .where('id', '<', before)
    .where('blob_id', 'is not', null);
  const versions = tx
    .selectFrom('file_version')
    .innerJoin('entry', 'entry.id', 'file_version.entry_id')
    .select('file_version.blob_id')
    .where('entry.bin_root_id', '=', rootId)
    .where('entry.id', '>=', from)
    .where('entry.id', '<', before);
  return tx
    .selectFrom(files.unionAll(versions).as('used'))
    .groupBy('blob_id')
    .select((select) => ['blob_id', select.fn.countAll<number>().as('uses')]);
}

/** Deletes the files, and the directories that are empty now. Returns their number. */
export async function deleteLeavesInRange(
  tx: Tx,
  rootId: number,
  { from, before }: IdRange,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from entry where bin_root_id = ${rootId} and id >= ${from} and id < ${before}
      and not exists (select 1 from entry as child where child.parent_id = entry.id)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes the root of a marked tree that has no other entries. Returns 1, or 0 if there is no root. */
export async function deleteMarkedRoot(tx: Tx, rootId: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('entry')
    .where('id', '=', rootId)
    .where('bin_root_id', '=', -rootId)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
