import Sqlite, { type Database as Connection } from 'better-sqlite3';

/** How long a connection waits for another process's transaction. */
export const LOCK_TIMEOUT_MS = 5_000;

/** Opens a connection with the settings that `sqlite.ts` relies on. */
export function openConnection(file: string): Connection {
  const connection = new Sqlite(file, { timeout: LOCK_TIMEOUT_MS });
  for (const setting of [
    'journal_mode = wal',
    'synchronous = normal',
    // `Checkpoints` does this instead.
    'wal_autocheckpoint = 0',
    'foreign_keys = on',
    'cache_size = -16000',
    'temp_store = memory',
  ]) {
    connection.pragma(setting);
  }
  return connection;
}
