import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { createDurableDirectory } from '../durable-directory.ts';

interface ServiceLock {
  /** Whether another process has the lock. */
  readonly isTaken: boolean;
  /** The lock also ends with the process, even after a crash. */
  release(): void;
}

/**
 * Locks an empty file beside the database, so that a second server on the same database notices the first. It
 * is a SQLite lock, which the operating system removes when the process ends or crashes. The file stays.
 */
export function acquireServiceLock(databaseFile: string): ServiceLock {
  try {
    const connection = open(`${databaseFile}-service`);
    try {
      connection.exec('begin immediate');
      return { isTaken: false, release: () => void connection.close() };
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    // Other errors, such as a directory that cannot be written or a file system without locks, do not count
    // as taken.
    const isTaken = error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
    return { isTaken, release: () => {} };
  }
}

function open(file: string): Sqlite.Database {
  createDurableDirectory(path.dirname(file));
  closeSync(openSync(file, 'a', 0o600));
  return new Sqlite(file, { timeout: 0 });
}
