import type { ColumnTypes, EngineName } from '../../migration.ts';

/** The queue of texts, the texts, and the index that finds words in them. */
export const texts = ({ integer, text, bytes }: ColumnTypes, engine: EngineName): readonly string[] => [
  // Has no texts, so its many changes are small.
  `create table text_queue (
    blob_id ${integer} primary key references blob (id) on delete cascade,
    drive_id ${integer} not null,
    state ${text} not null check (state in ('WAITING', 'CLAIMED', 'INDEXED', 'WITHOUT_TEXT', 'GIVEN_UP')),
    is_backlog ${integer} not null check (is_backlog in (0, 1)),
    attempts ${integer} not null default 0 check (attempts >= 0),
    due_at ${integer},
    reason ${text},
    check ((state in ('WAITING', 'CLAIMED')) = (due_at is not null))
  )`,
  // The order in which drives take turns.
  `create index text_queue__first on text_queue (is_backlog, drive_id, due_at, blob_id)
    where due_at is not null and attempts = 0`,
  // The texts that are taken alone.
  `create index text_queue__again on text_queue (is_backlog, due_at, blob_id)
    where due_at is not null and attempts > 0`,
  'create index text_queue__state on text_queue (state)',

  // A row for each text that can be found. The compressed text is last, so SQLite reads the other columns
  // without it.
  `create table blob_text (
    blob_id ${integer} primary key references blob (id) on delete cascade,
    text_bytes ${integer} not null check (text_bytes > 0),
    once_score ${integer} not null,
    often_score ${integer} not null,
    text ${bytes} not null
  )`,
  // Covers the figures for administrators.
  'create index blob_text__bytes on blob_text (text_bytes)',

  // Up to which blob the queue has been filled, and the last fault.
  `create table text_scan (
    through_id ${integer} not null,
    last_error ${text},
    last_error_at ${integer},
    check ((last_error is null) = (last_error_at is null))
  )`,
  'insert into text_scan (through_id) values (0)',
  ...(engine === 'sqlite' ? ON_SQLITE : ON_POSTGRES),
];

/*
 * SQLite: a full-text table that stores only which terms a text has. The terms are separated by spaces. The
 * tokenizer `ascii` takes every other character as part of a term, so Unicode is decided in one place.
 */
const ON_SQLITE = [
  `create virtual table text_index using fts5(
    terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  )`,
  `create trigger blob_text__deleted after delete on blob_text
    begin
      delete from text_index where rowid = old.blob_id;
    end`,
];

/*
 * PostgreSQL: a column, so the engine itself keeps the index consistent with the table. Every search
 * reads the index's list of pending terms, so a limit keeps it short.
 */
const ON_POSTGRES = [
  'alter table blob_text add column terms tsvector not null',
  'create index blob_text__terms on blob_text using gin (terms) with (gin_pending_list_limit = 1024)',
];
