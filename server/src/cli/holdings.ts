import { existsSync } from 'node:fs';
import {
  connectStorage,
  OBJECT_CLAIMS,
  openEngine,
  REMOVAL_LEASE,
  REMOVAL_LEASE_MS,
  sqliteFileOf,
} from '../app/ground.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Ids, systemIds } from '../base/ids.ts';
import { Blobs, OrphanSearch } from '../blobs/blobs.ts';
import type { Config } from '../config/config.ts';
import { Database } from '../database/database.ts';
import { checkMigrated } from '../database/migrator.ts';
import { Leases, type NamedLease } from '../leases/leases.ts';
import type { Policies } from '../policies/policies.ts';
import { Settings } from '../settings/settings.ts';

/** What a drive consists of, for commands that work on it while a service may run. */
export interface Holdings {
  readonly database: Database;
  readonly settings: Settings;
  readonly policies: Policies;
  readonly blobs: Blobs;
  readonly orphans: OrphanSearch;
  /** Has objects stay that nothing refers to. */
  readonly removalLease: NamedLease;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** @throws Error with a sentence where there is no drive, or one of another version */
export async function openDatabase(config: Config): Promise<Database> {
  if (config.databaseUrl === undefined && !existsSync(sqliteFileOf(config))) {
    throw new Error(`There is no drive in ${config.dataDir}. Start the service once, or restore a backup.`);
  }
  // What breaks an idle connection is told when the next statement fails.
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

/** Opens the drive that the settings name, does the work, and closes it. */
export async function withHoldings<T>(config: Config, work: (holdings: Holdings) => Promise<T>): Promise<T> {
  const [clock, ids] = [systemClock, systemIds];
  const database = await openDatabase(config);
  let policies: Policies | undefined;
  try {
    const settings = new Settings(clock, ids);
    ({ policies } = await connectStorage(config, { database, settings, clock, ids }));
    return await work({
      database,
      settings,
      policies,
      blobs: new Blobs({ clock, ids, policies }),
      orphans: new OrphanSearch({
        database,
        uploadSessionTtlMs: config.uploadSessionTtlMs,
        claims: OBJECT_CLAIMS,
      }),
      removalLease: new Leases(database, clock, ids.uuid()).forName(REMOVAL_LEASE, REMOVAL_LEASE_MS),
      clock,
      ids,
    });
  } finally {
    await policies?.close();
    await database.close();
  }
}
