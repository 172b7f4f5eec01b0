import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { openEngine, sqliteFileOf } from '../app/connections.ts';
import type { Parts } from '../app/parts.ts';
import { systemClock } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import type { Config } from '../config/config.ts';
import { Database } from '../database/database.ts';
import { checkMigrated } from '../database/migrator.ts';

/**
 * Builds the parts of the configured drive, does the work with them, and closes them. A service may run
 * beside it.
 * @throws Error with a sentence for the user where there is no drive, or one of another version
 */
export async function withParts<T>(config: Config, work: (parts: Parts) => Promise<T>): Promise<T> {
  // Imported only where it is used: it loads most of the program.
  const { buildParts } = await import('../app/parts.ts');
  const logger = pino({ level: 'error' }, pino.destination(2));
  const database = await openDatabase(config);
  try {
    const parts = await buildParts({
      config,
      database,
      clock: systemClock,
      ids: systemIds,
      logger,
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
    if (await parts.accounts.hasAccounts()) return await work(parts);
    throw new Error('Nobody has an account yet. Start the service once: it creates the first admin.');
  });
}

async function openDatabase(config: Config): Promise<Database> {
  if (config.databaseUrl === undefined && !existsSync(sqliteFileOf(config))) {
    throw new Error(`There is no drive in ${config.dataDir}. Start the service once, or restore a backup.`);
  }
  // An idle connection that breaks is reported by the next statement.
  const database = new Database(await openEngine(config, () => {}));
  try {
    await checkMigrated(database.db).catch((error: unknown) => {
      throw database.translate(error);
    });
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
