import { sql } from 'kysely';
import type { Database } from '../../../src/database/database.ts';
import { toTypeColumns } from '../../../src/database/type-columns.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { Person } from '../app/person.ts';
import { fillSortNames } from '../drive/sort-names.ts';

/**
 * Creates a directory with `directories` directories of `files` files each, directly in the database. All
 * files share the bytes of one file, and no events are recorded.
 */
export async function createLargeTree(
  database: Database,
  person: Person,
  path: string,
  { directories, files }: { readonly directories: number; readonly files: number },
): Promise<EntryRecord> {
  const like = await person.upload(`${path}-like.txt`, 'like');
  const root = await person.mkdir(path);
  const columns = sql`(drive_id, parent_id, name, folded_name, is_directory, blob_id, size, content_type, kind,
    child_count, created_at, updated_at)`;
  await database.transact(async (tx) => {
    await sql`
      with recursive number (n) as (select 0 union all select n + 1 from number where n + 1 < ${directories})
      insert into entry ${columns}
      select drive_id, ${root.id}, printf('level %05d', n), printf('level %05d', n), 1, null, 0, null, null, ${files},
        created_at + n, created_at + n
      from number, entry where entry.id = ${like.id}`.execute(tx);
    await sql`
      with recursive number (n) as (select 0 union all select n + 1 from number where n + 1 < ${files})
      insert into entry ${columns}
      select one.drive_id, one.id, printf('file %05d.txt', n), printf('file %05d.txt', n), 0, alike.blob_id,
        alike.size, 'text/plain', ${toTypeColumns('text/plain').kind}, 0, one.created_at + n, one.created_at + n
      from entry as one, number, entry as alike
      where one.parent_id = ${root.id} and alike.id = ${like.id}`.execute(tx);
    await fillSortNames(tx, root.id);
    const added = directories * files;
    await sql`update blob set reference_count = reference_count + ${added}
      where id = (select blob_id from entry where id = ${like.id})`.execute(tx);
    await sql`update drive set file_count = file_count + ${added},
        entry_count = entry_count + ${added + directories},
        used_bytes = used_bytes + ${added * like.size}
      where id = (select drive_id from entry where id = ${like.id})`.execute(tx);
    await sql`update entry set child_count = ${directories} where id = ${root.id}`.execute(tx);
  });
  return root;
}
