import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { Database } from '../../../src/database/database.ts';
import type { Engine } from '../../../src/database/engine.ts';
import { migrate } from '../../../src/database/migrator.ts';
import { openPostgres } from '../../../src/database/postgres/postgres.ts';
import { openSqlite } from '../../../src/database/sqlite/sqlite.ts';
import { createTestDatabase } from './test-database.ts';

/** A database without a service around it. */
export interface DatabaseUnderTest {
  readonly database: Database;
  /** Empty but for SQLite's files. */
  readonly directory: string;
  /** Of PostgreSQL, the address. */
  readonly url: string | undefined;
  /** Another handle on the same database, as a second instance would have. */
  openBeside(): Database;
}

/** Opens a database that ends with the test file (or the surrounding `describe`). */
export async function openTestDatabase(
  options: { migrated?: boolean; engine?: 'sqlite' } = {},
): Promise<DatabaseUnderTest> {
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-database-'));
  const migrated = options.migrated !== false;
  const { url, drop } =
    options.engine === 'sqlite'
      ? { url: undefined, drop: async () => {} }
      : await createTestDatabase({ migrated });
  const opened: Database[] = [];
  const openBeside = () => {
    const database = new Database(openEngine(url, directory));
    opened.push(database);
    return database;
  };
  after(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await drop();
    await rm(directory, { recursive: true, force: true });
  });
  const database = openBeside();
  if (migrated) await migrate(database);
  return { database, directory, url, openBeside };
}

export function openEngine(url: string | undefined, directory: string): Engine {
  return url === undefined ? openSqlite(sqliteFile(directory)) : openPostgres(url, () => {});
}

export function sqliteFile(directory: string): string {
  return path.join(directory, 'holdall.db');
}
