import Sqlite from 'better-sqlite3';
import type { Outage } from '../engine.ts';

/** By the beginning of SQLite's error code; the rest of a code says more than we need. */
const OUTAGES: readonly (readonly [string, Outage])[] = [
  ['SQLITE_BUSY', { message: 'The database is busy. Please try again.', retryAfterSeconds: 5 }],
  ['SQLITE_FULL', { message: 'The disk of the database is full.', retryAfterSeconds: 30 }],
  ['SQLITE_READONLY', { message: 'The disk of the database is read-only.', retryAfterSeconds: 30 }],
  ['SQLITE_IOERR', { message: 'The disk of the database does not work.', retryAfterSeconds: 30 }],
  ['SQLITE_CANTOPEN', { message: 'The file of the database cannot be opened.', retryAfterSeconds: 30 }],
];

export function findOutage(error: unknown): Outage | undefined {
  if (!(error instanceof Sqlite.SqliteError)) return undefined;
  return OUTAGES.find(([code]) => error.code.startsWith(code))?.[1];
}
