import type { Migration } from '../migration.ts';

/*
 * Two indexes for search. The owner's live names in order, with all that search filters by, so that a walk through them
 * visits no rows. And the trigrams of names, which tell of a text that is rare where it may be.
 */
export const search: Migration = {
  name: '0006-search',
  statements: (_columns, engine) => [
    // With `deleted_at`, because SQLite says only then that the index has all it needs.
    `create index entry__search on entry
        (owner_id, folded_name, id, is_directory, size, created_at, updated_at, parent_id, deleted_at)
      where deleted_at is null and parent_id is not null`,
    ...(engine === 'sqlite' ? ON_SQLITE : ON_POSTGRES),
  ],
};

/*
 * SQLite: a full-text table that keeps no text (docs/decisions/0004). It knows every entry, in whatever drive or bin, so
 * that recycling and restoring a tree leave it alone. To write a name into it costs more than all other indexes of an
 * upload together, unless many are written at once: what is new waits in `unindexed_entry` until there are 256, and whoever
 * searches looks at those that wait. All by triggers: in the transaction of whatever changes an entry, by whatever statement.
 */
const ON_SQLITE = [
  `create virtual table entry_search using fts5(
    folded_name, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
  )`,
  // It writes down what it has collected whenever that has grown to 1 MB.
  'insert into entry_search (rowid, folded_name) select id, folded_name from entry',

  'create table unindexed_entry (entry_id integer primary key)',
  `create trigger unindexed_entry__full after insert on unindexed_entry
    when (select count(*) from unindexed_entry) >= 256
    begin
      delete from entry_search where rowid in (select entry_id from unindexed_entry);
      insert into entry_search (rowid, folded_name)
        select id, folded_name from entry where id in (select entry_id from unindexed_entry);
      delete from unindexed_entry;
    end`,

  `create trigger entry__inserted after insert on entry
    begin
      insert into unindexed_entry (entry_id) values (new.id);
    end`,
  `create trigger entry__renamed after update of folded_name on entry when new.folded_name <> old.folded_name
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
 * PostgreSQL: where the extension is there, or may be made. Without it search walks the owner's names. What is new waits in
 * a list of the index's own, which every search reads and somebody's upload puts in order when it is full: a short one.
 */
const ON_POSTGRES = [
  'do $$ begin create extension if not exists pg_trgm; exception when others then null; end $$',
  `do $$ begin
    create index entry__trigrams on entry using gin (folded_name gin_trgm_ops) with (gin_pending_list_limit = 512)
      where deleted_at is null and parent_id is not null;
  exception when undefined_object then null; end $$`,
];
