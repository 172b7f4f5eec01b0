import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

// The database that stores the state of a pair.

/**
 * The schema version, stored in the header of the file. 0 is a new file, or one from before versions were
 * recorded.
 */
const VERSION = 2;

/** Version 1. */
const FIRST_SCHEMA = `
  create table if not exists remote (
    path text primary key, id integer not null, is_directory integer not null, size integer not null,
    modified_at text not null, updated_at text not null, sha256 text
  ) without rowid;
  create table if not exists base (
    path text primary key, id integer not null, is_directory integer not null, size integer not null,
    modified_at text not null, updated_at text not null, sha256 text,
    mtime_ms real not null, ctime_ms real not null, ino real not null
  ) without rowid;
  -- A cursor without a mark cannot be trusted, so that of an older file is not kept.
  drop table if exists position;
  create table position (id integer primary key check (id = 1), cursor integer not null, mark text);
  create table if not exists direction (id integer primary key check (id = 1), is_two_way integer not null);
`;

/** Version 2 adds the disk of each entry. After an upgrade, the next sync fills in what is missing. */
const DISKS = `
  alter table base rename to older_base;
  create table base (
    path text primary key, id integer not null, is_directory integer not null, size integer not null,
    modified_at text not null, updated_at text not null, sha256 text,
    mtime_ms real not null, ctime_ms real not null,
    device text not null, inode text not null, is_mount_point integer
  ) without rowid;
  insert into base
    select path, id, is_directory, size, modified_at, updated_at, sha256, mtime_ms, ctime_ms,
      '', cast(cast(ino as integer) as text), null
    from older_base;
  drop table older_base;
  create table disk (id integer primary key check (id = 1), mount_path text not null);
`;

/**
 * Opens the database, or creates it, and reads it.
 * @param read if it throws, the database is closed
 * @throws Error with a sentence for the user if another program uses it, or if this program cannot read it
 */
export async function openStateDatabase<T>(file: string, read: (database: DatabaseSync) => T): Promise<T> {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const database = await openDatabase(file);
  try {
    // The operating system holds the lock, so it ends with the process, even after a crash.
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal;');
    database.exec('begin immediate;');
    const version = Number(database.prepare('pragma user_version').get()?.user_version);
    if (version > VERSION) throw new Error(`${file} was written by a newer holdall. Update this one.`);
    if (version < 1) database.exec(FIRST_SCHEMA);
    if (version < 2) database.exec(DISKS);
    database.exec(`pragma user_version = ${VERSION};`);
    database.exec('commit;');
    return read(database);
  } catch (error) {
    database.close();
    throw toReadable(error, file);
  }
}

function toReadable(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error;
  if (/locked|busy/.test(error.message)) {
    return new Error('Another sync of these two directories is running.', { cause: error });
  }
  if (!/malformed|not a database|no such (table|column)/.test(error.message)) return error;
  return new Error(
    `The state of this sync is damaged, and nothing was changed. Move ${file} away: ` +
      'the next sync then compares everything, and deletes nothing.',
    { cause: error },
  );
}

/** Opens an SQLite database. Hides the warning of Node.js that the module is experimental. */
export async function openDatabase(file: string): Promise<DatabaseSync> {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    const { DatabaseSync } = await import('node:sqlite');
    return new DatabaseSync(file);
  } finally {
    process.emitWarning = emitWarning;
  }
}
