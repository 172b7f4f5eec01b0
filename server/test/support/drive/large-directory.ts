import { sql } from 'kysely';
import { toTypeColumns } from '../../../src/database/type-columns.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { Holdall } from '../app/holdall.ts';
import { fillSortNames } from './sort-names.ts';

/**
 * Fills an empty directory with many files `file 00000.txt`, … directly in the database, which is faster than
 * uploading. All files share the bytes of one file, and no events are recorded.
 * @param options.type their content type; with it they have the size of that file. By default they are text,
 *   and each has as many bytes as its number.
 */
export async function fillDirectory(
  { app }: Holdall,
  directory: EntryRecord,
  { count, like, type }: { readonly count: number; readonly like: EntryRecord; readonly type?: string },
): Promise<void> {
  const contentType = type ?? 'text/plain';
  await app.database.transact(async (tx) => {
    await sql`
      with recursive number (n) as (select 0 union all select n + 1 from number where n + 1 < ${count})
      insert into entry (drive_id, parent_id, name, folded_name, is_directory, blob_id, size, content_type, kind, created_at,
        updated_at)
      select like_it.drive_id, ${directory.id}, printf('file %05d.txt', n), printf('file %05d.txt', n), 0,
        like_it.blob_id, ${type === undefined ? sql.ref('n') : sql.ref('like_it.size')}, ${contentType}, ${toTypeColumns(contentType).kind}, like_it.created_at + n, like_it.created_at + n
      from number, entry as like_it where like_it.id = ${like.id}`.execute(tx);
    await fillSortNames(tx, directory.id);
    await sql`update blob set reference_count = reference_count + ${count}
      where id = (select blob_id from entry where id = ${like.id})`.execute(tx);
    await sql`update drive set file_count = file_count + ${count}, entry_count = entry_count + ${count},
        used_bytes = used_bytes + ${type === undefined ? (count * (count - 1)) / 2 : count * like.size}
      where id = (select drive_id from entry where id = ${like.id})`.execute(tx);
    await sql`update entry set child_count = ${count} where id = ${directory.id}`.execute(tx);
  });
}
