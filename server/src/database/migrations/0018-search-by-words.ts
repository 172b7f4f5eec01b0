import { type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from '../migration.ts';
import { toNameColumns } from '../name-columns.ts';

/*
 * Search by words finds a word in the folded name, or in the name without accents. Most names have no accents,
 * and then the second column is null.
 */
export const searchByWords: Migration = {
  name: '0018-search-by-words',
  statements: ({ text }, engine) => [
    `alter table entry add column plain_name ${text}`,
    // As in migration 0006, with the new columns that search filters by.
    'drop index entry__search',
    `create index entry__search on entry
        (owner_id, folded_name, id, is_directory, size, created_at, updated_at, parent_id, deleted_at, modified_at,
          content_type, plain_name)
      where deleted_at is null and parent_id is not null`,
    ...(engine === 'sqlite' ? ON_SQLITE : ON_POSTGRES),
  ],
  fill: fillPlainNames,
};

/*
 * SQLite: the full-text table has one text for each entry. It becomes the folded name and the plain name, with
 * a character between them that no name contains. The triggers replace those of migration 0006.
 */
const ON_SQLITE = [
  'drop trigger unindexed_entry__full',
  `create trigger unindexed_entry__full after insert on unindexed_entry
    when (select count(*) from unindexed_entry) >= 256
    begin
      delete from entry_search where rowid in (select entry_id from unindexed_entry);
      insert into entry_search (rowid, folded_name)
        select id, folded_name || coalesce('/' || plain_name, '') from entry
        where id in (select entry_id from unindexed_entry);
      delete from unindexed_entry;
    end`,
  'drop trigger entry__renamed',
  `create trigger entry__renamed after update of folded_name, plain_name on entry
    when new.folded_name <> old.folded_name or new.plain_name is not old.plain_name
    begin
      insert or ignore into unindexed_entry (entry_id) values (new.id);
    end`,
];

/* PostgreSQL: a trigram index of the few names that have accents, beside that of the folded names. */
const ON_POSTGRES = [
  `do $$ begin
    create index entry__plain_trigrams on entry using gin (plain_name gin_trgm_ops)
      with (gin_pending_list_limit = 512)
      where plain_name is not null and deleted_at is null and parent_id is not null;
  exception when undefined_object then null; end $$`,
];

const NAMES_PER_BATCH = 1_000;

/** Reads only names with characters outside ASCII, since the others are plain. */
async function fillPlainNames(tx: QueryExecutorProvider): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from entry
      where id > ${after} and octet_length(folded_name) > length(folded_name)
      order by id limit ${NAMES_PER_BATCH}`.execute(tx);
    await setPlainNames(tx, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < NAMES_PER_BATCH) return;
    after = last.id;
  }
}

async function setPlainNames(
  tx: QueryExecutorProvider,
  entries: readonly { readonly id: number; readonly name: string }[],
): Promise<void> {
  const changes = entries.flatMap(({ id, name }) => {
    const { plain_name } = toNameColumns(name);
    return plain_name === null ? [] : [sql`(cast(${id} as bigint), cast(${plain_name} as text))`];
  });
  if (changes.length === 0) return;
  await sql`
    with changed (id, plain_name) as (values ${sql.join(changes)})
    update entry set plain_name = changed.plain_name from changed where entry.id = changed.id`.execute(tx);
}
