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

/** A database without a running service. */
interface DatabaseUnderTest {
  readonly database: Database;
  /** Contains only SQLite's files, if any. */
  readonly directory: string;
  /** The URL of the PostgreSQL database; undefined for SQLite. */
  readonly url: string | undefined;
  /** Opens another handle on the same database, as a second instance would have. */
  openSecondHandle(): Database;
}

/** Opens a database that is deleted at the end of the test file (or of the surrounding `describe`). */
export async function openTestDatabase(
  options: { migrated?: boolean; engine?: 'sqlite' } = {},
): Promise<DatabaseUnderTest> {
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-database-'));
  const migrated = options.migrated !== false;
  const migratedFile = migrated ? sqliteFile(directory) : undefined;
  const { url, drop } =
    options.engine === 'sqlite'
      ? { url: undefined, drop: async () => {} }
      : await createTestDatabase({ migratedFile });
  const opened: Database[] = [];
  const openSecondHandle = () => {
    const database = new Database(openEngine(url, directory));
    opened.push(database);
    return database;
  };
  after(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await drop();
    await rm(directory, { recursive: true, force: true });
  });
  const database = openSecondHandle();
  if (migrated) await migrate(database);
  return { database, directory, url, openSecondHandle };
}

export function openEngine(url: string | undefined, directory: string): Engine {
  return url === undefined ? openSqlite(sqliteFile(directory)) : openPostgres(url, () => {});
}

export function sqliteFile(directory: string): string {
  return path.join(directory, 'holdall.db');
}
