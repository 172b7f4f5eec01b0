import { existsSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { hasAccounts } from '../accounts/accounts.ts';
import { explainOutage, openEngine } from '../app/connections.ts';
import type { Parts } from '../app/parts.ts';
import { systemClock } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import type { Config } from '../config/config.ts';
import { Database } from '../database/database.ts';
import { checkMigrated } from '../database/migrator.ts';
import { withDatabaseCopy } from '../database/sqlite/rescued-copy.ts';
import { findSqliteWriteFault } from '../database/sqlite/sqlite.ts';

/**
 * Builds the parts of the configured drive, does the work with them, and closes them. A service may run at
 * the same time.
 * @param rescue for work that only reads: lets it read a copy of a SQLite database whose disk is read-only,
 *   and is called with a sentence that says so
 * @throws Error with a sentence for the user if there is no drive, or if it has another version
 */
export async function withParts<T>(
  config: Config,
  work: (parts: Parts) => Promise<T>,
  rescue?: (sentence: string) => void,
): Promise<T> {
  checkDatabaseFile(config);
  if (rescue === undefined || config.databaseUrl !== undefined) return await withWritableParts(config, work);
  const fault = findSqliteWriteFault(config.databaseFile);
  if (fault === undefined) return await withWritableParts(config, work);
  return await withDatabaseCopy(config.databaseFile, (databaseFile) => {
    rescue(`${fault} The database is read from a copy in ${path.dirname(databaseFile)}.`);
    return withWritableParts({ ...config, databaseFile }, work);
  });
}

async function withWritableParts<T>(config: Config, work: (parts: Parts) => Promise<T>): Promise<T> {
  // Imported only here, because it loads most of the program.
  const { buildParts } = await import('../app/parts.ts');
  const { Measurements } = await import('../app/metrics/measurements.ts');
  const logger = pino({ level: 'error' }, pino.destination(2));
  const database = await openDatabase(config);
  try {
    const parts = await buildParts({
      config,
      database,
      clock: systemClock,
      ids: systemIds,
      logger,
      measurements: new Measurements(),
      overrides: {},
    });
    try {
      return await work(parts);
    } finally {
      await parts.policies.close();
    }
  } finally {
    await database.close();
  }
}

/**
 * Like {@link withParts}, for commands that need the accounts that the first start of the service creates.
 */
export function withAccounts<T>(config: Config, work: (parts: Parts) => Promise<T>): Promise<T> {
  return withParts(config, async (parts) => {
    if (await hasAccounts(parts.database.db)) return await work(parts);
    throw new Error('Nobody has an account yet. Start the service once: it creates the first admin.');
  });
}

function checkDatabaseFile({ databaseUrl, databaseFile, dataDir }: Config): void {
  if (databaseUrl !== undefined || existsSync(databaseFile)) return;
  throw new Error(`There is no drive in ${dataDir}. Start the service once, or restore a backup.`);
}

async function openDatabase(config: Config): Promise<Database> {
  // An idle connection that breaks is reported by the next statement.
  const database = new Database(await openEngine(config, () => {}));
  try {
    await checkMigrated(database.db).catch((error: unknown) => {
      throw explainOutage(config, database, error);
    });
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
