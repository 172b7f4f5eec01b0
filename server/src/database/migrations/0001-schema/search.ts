import type { EngineName } from '../../migration.ts';

/**
 * The trigrams of names, which find the few names that may contain a rare text, in the folded name or in the
 * name without accents. Most names have no accents, and then the second column is null.
 */
export function search(engine: EngineName): readonly string[] {
  return engine === 'sqlite' ? ON_SQLITE : ON_POSTGRES;
}

/*
 * SQLite: a full-text table that does not store the text (docs/decisions/0004). It covers every entry in all
 * drives and recycle bins, so recycling and restoring a tree leave it unchanged. It has one text per entry:
 * the folded name and the plain name, with a character between them that no name contains. Inserting one name
 * costs more than all other indexes of an upload together, but inserting many names at once is cheap. So new
 * names wait in `unindexed_entry` until there are 256, and a search also reads the waiting ones. Triggers do
 * all of this, in the transaction that changes the entry.
 */
const ON_SQLITE = [
  // The full-text table writes a segment whenever it has collected 1 MB.
  `create virtual table entry_search using fts5(
    folded_name, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
  )`,

  'create table unindexed_entry (entry_id integer primary key)',
  `create trigger unindexed_entry__full after insert on unindexed_entry
    when (select count(*) from unindexed_entry) >= 256
    begin
      delete from entry_search where rowid in (select entry_id from unindexed_entry);
      insert into entry_search (rowid, folded_name)
        select id, folded_name || coalesce('/' || plain_name, '') from entry
        where id in (select entry_id from unindexed_entry);
      delete from unindexed_entry;
    end`,

  `create trigger entry__inserted after insert on entry
    begin
      insert into unindexed_entry (entry_id) values (new.id);
    end`,
  `create trigger entry__renamed after update of folded_name, plain_name on entry
    when new.folded_name <> old.folded_name or new.plain_name is not old.plain_name
    begin
      insert or ignore into unindexed_entry (entry_id) values (new.id);
    end`,
  `create trigger entry__deleted after delete on entry
    begin
      delete from unindexed_entry where entry_id = old.id;
      delete from entry_search where rowid = old.id;
    end`,
];

/*
 * PostgreSQL: trigram indexes of the folded names, and of the few names that have accents, if the extension
 * is installed or can be. Without it, a search scans the owner's names. A GIN index keeps new names in a
 * pending list. Every search reads the list, and when it is full, an upload has to merge it. The limit keeps
 * the list short.
 */
const ON_POSTGRES = [
  'do $$ begin create extension if not exists pg_trgm; exception when others then null; end $$',
  `do $$ begin
    create index entry__trigrams on entry using gin (folded_name gin_trgm_ops)
      with (gin_pending_list_limit = 512)
      where deleted_at is null and parent_id is not null;
  exception when undefined_object then null; end $$`,
  `do $$ begin
    create index entry__plain_trigrams on entry using gin (plain_name gin_trgm_ops)
      with (gin_pending_list_limit = 512)
      where plain_name is not null and deleted_at is null and parent_id is not null;
  exception when undefined_object then null; end $$`,
];
