import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { MINUTE } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { ObjectClaims } from '../blobs/blobs.ts';
import { migrationClaims } from '../blobs/migration/policy-migrations.ts';
import { bindStore } from '../blobs/store-identity.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { configuredLocation, openStore, type StoreSettings } from '../policies/open-store.ts';
import { Policies } from '../policies/policies.ts';
import type { Settings } from '../settings/settings.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { attemptClaims } from '../tasks/engine/attempt-claims.ts';
import { ticketClaims } from '../tickets/ticket-claims.ts';
import { sessionClaims } from '../uploads/sessions/session-claims.ts';

/*
 * What the service and the command line stand on alike: the database and the store that the settings name.
 */

/** Whoever has it may remove objects that nothing refers to, or rely on their staying. */
export const REMOVAL_LEASE = 'remove objects';
export const REMOVAL_LEASE_MS = 2 * MINUTE;

/** All that stands for objects besides blobs. What is missing here is taken for orphans, and removed. */
export const OBJECT_CLAIMS: readonly ObjectClaims[] = [
  ticketClaims,
  sessionClaims,
  attemptClaims,
  migrationClaims,
];

export async function openEngine(config: Config, onIdleError: (error: Error) => void): Promise<Engine> {
  if (config.databaseUrl === undefined) return openSqlite(sqliteFileOf(config));
  // Loaded only where it is used: memory.
  const { openPostgres } = await import('../database/postgres/postgres.ts');
  return openPostgres(config.databaseUrl, onIdleError);
}

export function sqliteFileOf(config: Config): string {
  return path.join(config.dataDir, 'holdall.db');
}

export function storeSettingsOf(config: Config): StoreSettings {
  return { objectsDir: path.join(config.dataDir, 'objects'), s3: config.s3 };
}

/** The policies, and the store of the default one, which is seen to belong to this database. */
export async function connectStorage(
  config: Config,
  parts: { database: Database; settings: Settings; clock: Clock; ids: Ids },
): Promise<{ policies: Policies; store: ObjectStore }> {
  const storage = storeSettingsOf(config);
  const policies = new Policies({
    ...parts,
    openStore: (location) => openStore(location, storage, parts.ids),
  });
  await policies.configure(configuredLocation(storage));
  const store = await policies.openConfigured();
  const places = { database: describeDatabase(config), store: describeStore(storage) };
  await bindStore({ ...parts, store, places });
  await policies.getOrCreateDefault();
  return { policies, store };
}

/** For messages. */
export function describeStore({ objectsDir, s3 }: StoreSettings): string {
  return s3 === undefined ? objectsDir : `the bucket ${[s3.bucket, s3.prefix].filter(Boolean).join('/')}`;
}

/** For messages: without its password. */
export function describeDatabase(config: Config): string {
  if (config.databaseUrl === undefined) return sqliteFileOf(config);
  const { host, pathname } = new URL(config.databaseUrl);
  return `the PostgreSQL database ${pathname.slice(1)} on ${host}`;
}
