import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import { foldName } from '../base/text/file-name.ts';
import type { Db, Tx } from '../database/database.ts';
import type { Flag } from '../database/flag.ts';
import type { IdRange } from './row-check.ts';

/** An entry with what it has to agree with: the directory above it, its blob, and how many lie in it. */
export interface EntryLook {
  readonly id: number;
  readonly owner_id: number;
  readonly parent_id: number | null;
  readonly name: string;
  readonly folded_name: string;
  readonly is_directory: Flag;
  readonly blob_id: number | null;
  readonly size: number;
  readonly child_count: number;
  readonly copied_from: number | null;
  readonly deleted_at: Instant | null;
  readonly bin_root_id: number | null;
  readonly bin_parent_path: string | null;
  readonly children: number;
  /** Entries of that name in that directory, itself among them. */
  readonly namesakes: number;
  readonly above_id: number | null;
  readonly above_owner_id: number | null;
  readonly above_is_directory: Flag | null;
  readonly above_deleted_at: Instant | null;
  readonly above_bin_root_id: number | null;
  readonly stored_id: number | null;
  readonly stored_size: number | null;
}

export async function findEntryLooks(db: Db, { after, through }: IdRange): Promise<readonly EntryLook[]> {
  const { rows } = await sql<EntryLook>`
    select entry.id, entry.owner_id, entry.parent_id, entry.name, entry.folded_name, entry.is_directory, entry.blob_id,
      entry.size, entry.child_count, entry.copied_from, entry.deleted_at, entry.bin_root_id, entry.bin_parent_path,
      (select count(*) from entry as child where child.parent_id = entry.id) as children,
      (select count(*) from entry as namesake
        where namesake.parent_id = entry.parent_id and namesake.name = entry.name) as namesakes,
      above.id as above_id, above.owner_id as above_owner_id, above.is_directory as above_is_directory,
      above.deleted_at as above_deleted_at, above.bin_root_id as above_bin_root_id,
      blob.id as stored_id, blob.size as stored_size
    from entry
    left join entry as above on above.id = entry.parent_id
    left join blob on blob.id = entry.blob_id
    where entry.id > ${after} and entry.id <= ${through} order by entry.id`.execute(db);
  return rows;
}

/** More than the deepest tree has levels. */
const MOST_STEPS = 200;

/** Directories of the range from which the way up leads back to them. */
export async function findLoops(
  db: Db,
  { after, through }: IdRange,
): Promise<readonly { id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    with recursive up (id, at, steps) as (
      select id, parent_id, 1 from entry
        where id > ${after} and id <= ${through} and is_directory = 1 and parent_id is not null
      union all
      select up.id, entry.parent_id, up.steps + 1 from up join entry on entry.id = up.at
        where up.at <> up.id and up.steps < ${MOST_STEPS} and entry.parent_id is not null
    )
    select entry.id, entry.name from entry
      where entry.id in (select up.id from up where up.at = up.id) order by entry.id`.execute(db);
  return rows;
}

/** Nobody changes the drive in which the entry lies until the transaction ends. */
export async function holdDriveOf(tx: Tx, entryId: number): Promise<void> {
  await sql`update account set storage_used_bytes = storage_used_bytes
    where id = (select owner_id from entry where id = ${entryId})`.execute(tx);
}

export async function putChildCount(tx: Tx, id: number): Promise<void> {
  await sql`update entry set child_count = (select count(*) from entry as child where child.parent_id = ${id})
    where id = ${id}`.execute(tx);
}

export async function putFoldedName(tx: Tx, id: number): Promise<void> {
  const row = await tx.selectFrom('entry').select('name').where('id', '=', id).executeTakeFirst();
  if (row === undefined) return;
  await tx
    .updateTable('entry')
    .set({ folded_name: foldName(row.name) })
    .where('id', '=', id)
    .execute();
}

export async function clearCopyMark(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('entry').set({ copied_from: null }).where('id', '=', id).execute();
}
