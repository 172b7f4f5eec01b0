import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
import { toNameColumns } from '../../database/name-columns.ts';
import { toTypeColumns } from '../../database/type-columns.ts';
import type { IdRange } from '../row-check.ts';

/**
 * An entry with everything that it must be consistent with: its parent directory, its blob, and the number of
 * its children.
 */
export interface CheckedEntry {
  readonly id: number;
  readonly drive_id: number;
  readonly parent_id: number | null;
  readonly name: string;
  readonly folded_name: string;
  readonly plain_name: string | null;
  readonly sort_name: string;
  readonly content_type: string | null;
  readonly kind: number | null;
  readonly is_directory: Flag;
  readonly blob_id: number | null;
  readonly size: number;
  readonly child_count: number;
  readonly copied_from: number | null;
  readonly deleted_at: Instant | null;
  readonly bin_root_id: number | null;
  readonly bin_parent_path: string | null;
  readonly is_starred: Flag;
  readonly stars: number;
  readonly is_shared: Flag;
  readonly children: number;
  /** The number of entries with this name in this directory, including the entry itself. */
  readonly namesakes: number;
  readonly parent_row_id: number | null;
  readonly parent_drive_id: number | null;
  readonly parent_is_directory: Flag | null;
  readonly parent_deleted_at: Instant | null;
  readonly parent_bin_root_id: number | null;
  readonly blob_row_id: number | null;
  readonly blob_size: number | null;
}

/**
 * Matches entries of a tree that is being deleted in several transactions. Their parents or children may be
 * gone.
 */
const isBeingPurged = sql`(entry.bin_root_id is not null and (entry.bin_root_id < 0 or exists (
  select 1 from entry as root where root.id = entry.bin_root_id and root.bin_root_id < 0)))`;

export async function findEntriesToCheck(
  db: Db,
  { after, through }: IdRange,
): Promise<readonly CheckedEntry[]> {
  const { rows } = await sql<CheckedEntry>`
    select entry.id, entry.drive_id, entry.parent_id, entry.name, entry.folded_name, entry.plain_name, entry.sort_name,
      entry.content_type, entry.kind, entry.is_directory, entry.blob_id, entry.size, entry.child_count, entry.copied_from, entry.deleted_at, entry.bin_root_id, entry.bin_parent_path,
      entry.is_starred, (select count(*) from star where star.entry_id = entry.id) as stars,
      (select count(*) from drive where drive.id = entry.drive_id and drive.kind = 'SHARED') as is_shared,
      (select count(*) from entry as child where child.parent_id = entry.id) as children,
      (select count(*) from entry as namesake
        where namesake.parent_id = entry.parent_id and namesake.name = entry.name) as namesakes,
      parent.id as parent_row_id, parent.drive_id as parent_drive_id, parent.is_directory as parent_is_directory,
      parent.deleted_at as parent_deleted_at, parent.bin_root_id as parent_bin_root_id,
      blob.id as blob_row_id, blob.size as blob_size
    from entry
    left join entry as parent on parent.id = entry.parent_id
    left join blob on blob.id = entry.blob_id
    where entry.id > ${after} and entry.id <= ${through} and not ${isBeingPurged} order by entry.id`.execute(
    db,
  );
  return rows;
}

/** More than the deepest possible tree has levels. */
const MAX_STEPS = 200;

/** Directories in the range that are their own ancestors. */
export async function findLoops(
  db: Db,
  { after, through }: IdRange,
): Promise<readonly { id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    with recursive ancestor (id, ancestor_id, steps) as (
      select id, parent_id, 1 from entry
        where id > ${after} and id <= ${through} and is_directory = 1 and parent_id is not null
      union all
      select ancestor.id, entry.parent_id, ancestor.steps + 1
        from ancestor join entry on entry.id = ancestor.ancestor_id
        where ancestor.ancestor_id <> ancestor.id and ancestor.steps < ${MAX_STEPS} and entry.parent_id is not null
    )
    select entry.id, entry.name from entry
      where entry.id in (
        select ancestor.id from ancestor where ancestor.ancestor_id = ancestor.id
      ) order by entry.id`.execute(db);
  return rows;
}

/** Blocks all changes to the entry's drive until the transaction ends. */
export async function lockDriveOf(tx: Tx, entryId: number): Promise<void> {
  await sql`update drive set used_bytes = used_bytes
    where id = (select drive_id from entry where id = ${entryId})`.execute(tx);
}

export async function recountChildren(tx: Tx, id: number): Promise<void> {
  await sql`update entry set child_count = (select count(*) from entry as child where child.parent_id = ${id})
    where id = ${id}`.execute(tx);
}

/** Recomputes the columns that depend on an entry's name. */
export async function refoldName(tx: Tx, id: number): Promise<void> {
  const row = await tx.selectFrom('entry').select('name').where('id', '=', id).executeTakeFirst();
  if (row === undefined) return;
  await tx.updateTable('entry').set(toNameColumns(row.name)).where('id', '=', id).execute();
}

/** Recomputes the column that depends on a file's content type. */
export async function recomputeKind(tx: Tx, id: number): Promise<void> {
  const columns = ['content_type', 'is_directory'] as const;
  const row = await tx.selectFrom('entry').select(columns).where('id', '=', id).executeTakeFirst();
  if (row === undefined) return;
  const kind = row.is_directory === 1 ? null : toTypeColumns(row.content_type).kind;
  await tx.updateTable('entry').set({ kind }).where('id', '=', id).execute();
}

export async function recomputeStarred(tx: Tx, id: number): Promise<void> {
  await sql`update entry
    set is_starred = case when exists (select 1 from star where star.entry_id = entry.id) then 1 else 0 end
    where id = ${id}`.execute(tx);
}

export async function clearCopyMark(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('entry').set({ copied_from: null }).where('id', '=', id).execute();
}
