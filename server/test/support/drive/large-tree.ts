import { sql } from 'kysely';
import { toTypeColumns } from '../../../src/database/type-columns.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { Holdall } from '../app/holdall.ts';
import { fillSortNames } from './sort-names.ts';

/** The shape of a tree: a directory with directories, each with files. */
export interface TreeShape {
  readonly directories: number;
  readonly filesEach: number;
}

const DIRECTORIES_PER_TRANSACTION = 20;

/**
 * Fills an empty directory with directories `directory 00000`, … of files `file 00000.txt`, … directly in the
 * SQLite database, which is faster than uploading. Each file has its own blob, whose bytes do not exist. No
 * events are recorded.
 */
export async function fillTree(
  { app }: Holdall,
  root: EntryRecord,
  { directories, filesEach }: TreeShape,
): Promise<void> {
  for (let from = 0; from < directories; from += DIRECTORIES_PER_TRANSACTION) {
    const to = Math.min(directories, from + DIRECTORIES_PER_TRANSACTION);
    await app.database.transact(async (tx) => {
      await sql`
        with recursive number (n) as (select ${from} union all select n + 1 from number where n + 1 < ${to})
        insert into entry (drive_id, parent_id, name, folded_name, is_directory, size, child_count, created_at, updated_at)
        select root.drive_id, root.id, printf('directory %05d', n), printf('directory %05d', n), 1, 0, ${filesEach},
          root.created_at + n, root.created_at + n
        from number, entry as root where root.id = ${root.id}`.execute(tx);
      await sql`
        with recursive number (n) as (select 0 union all select n + 1 from number where n + 1 < ${filesEach})
        insert into blob (object_key, policy_id, kind, size, sha256, crc32, reference_count, created_by, created_at)
        select printf('20200101/%d-%d', directory.id, n), 1, 'FILE', n, hex(zeroblob(32)), 0, 1, owner.account_id,
          directory.created_at - 100000000
        from entry as directory join drive as owner on owner.id = directory.drive_id, number
        where directory.parent_id = ${root.id} and directory.name >= printf('directory %05d', ${from})`.execute(
        tx,
      );
      await sql`
        with recursive number (n) as (select 0 union all select n + 1 from number where n + 1 < ${filesEach})
        insert into entry (drive_id, parent_id, name, folded_name, is_directory, blob_id, size, content_type, kind,
          created_at, updated_at)
        select directory.drive_id, directory.id, printf('file %05d.txt', n), printf('file %05d.txt', n), 0, blob.id, n,
          'text/plain', ${toTypeColumns('text/plain').kind}, directory.created_at + n, directory.created_at + n
        from entry as directory, number, blob
        where directory.parent_id = ${root.id} and directory.name >= printf('directory %05d', ${from})
          and blob.object_key = printf('20200101/%d-%d', directory.id, n)`.execute(tx);
    });
  }
  const files = directories * filesEach;
  const bytes = directories * ((filesEach * (filesEach - 1)) / 2);
  await app.database.transact(async (tx) => {
    await fillSortNames(tx, root.id);
    await sql`update drive set file_count = file_count + ${files}, used_bytes = used_bytes + ${bytes},
        entry_count = entry_count + ${files + directories}
      where id = (select drive_id from entry where id = ${root.id})`.execute(tx);
    await sql`update entry set child_count = ${directories} where id = ${root.id}`.execute(tx);
  });
}
