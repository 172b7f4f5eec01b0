import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, SECOND } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import { bindStore } from '../blobs/store-identity.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { type Engine, UNREACHABLE } from '../database/engine.ts';
import type { PostgresOptions } from '../database/postgres/postgres.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { configuredLocation, openStore, type StoreSettings } from '../policies/open-store.ts';
import { Policies } from '../policies/policies.ts';
import type { Settings } from '../settings/settings.ts';
import { FreeSpace } from '../storage/disk/file-system/free-space.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { OnS3Call } from '../storage/s3/clients.ts';

/*
 * Opens the database and the object store that the configuration names, for the service and for every command.
 */

export async function openEngine(
  config: Config,
  onIdleError: (error: Error) => void,
  options: PostgresOptions = {},
): Promise<Engine> {
  if (config.databaseUrl === undefined) return openSqlite(config.databaseFile);
  // Imported only if PostgreSQL is configured, to save memory.
  const { openPostgres } = await import('../database/postgres/postgres.ts');
  const { databaseConnections: maxConnections } = config;
  return openPostgres(config.databaseUrl, onIdleError, { maxConnections, ...options });
}

/** Next to the objects. Every instance has a data directory, even if the objects are in a bucket. */
export function thumbnailDirectoryOf(config: Config): string {
  return path.join(config.dataDir, 'thumbnails');
}

export function storeSettingsOf(config: Config): StoreSettings {
  return { objectsDir: path.join(config.dataDir, 'objects'), s3: config.s3 };
}

/**
 * Opens the storage policies and the store of the default policy, and checks that this store belongs to this
 * database.
 * @throws Error with a message for the operator when the store belongs to another database
 */
export async function connectStorage(
  config: Config,
  parts: { database: Database; settings: Settings; clock: Clock; ids: Ids; onS3Call?: OnS3Call },
): Promise<{ policies: Policies; store: ObjectStore }> {
  const settings = storeSettingsOf(config);
  const { minFreeDiskBytes: minBytes } = config;
  const freeSpace =
    minBytes === 0
      ? undefined
      : new FreeSpace({ directory: settings.objectsDir, minBytes, clock: parts.clock });
  const storage = { ...settings, freeSpace, onS3Call: parts.onS3Call };
  const policies = new Policies({
    database: parts.database,
    clock: parts.clock,
    openStore: (location) => openStore(location, storage, parts.ids),
  });
  await policies.configure(configuredLocation(storage));
  const store = await policies.openConfigured();
  const names = { database: describeDatabase(config), store: describeStore(storage) };
  await bindStore({ ...parts, store, names });
  await policies.getOrCreateDefault();
  return { policies, store };
}

/** Names the store in a message. */
export function describeStore({ objectsDir, s3 }: StoreSettings): string {
  return s3 === undefined ? objectsDir : `the bucket ${[s3.bucket, s3.prefix].filter(Boolean).join('/')}`;
}

/** Names the database in a message, without its password. */
export function describeDatabase(config: Config): string {
  if (config.databaseUrl === undefined) return config.databaseFile;
  const { host, pathname } = new URL(config.databaseUrl);
  return `the PostgreSQL database ${pathname.slice(1)} on ${host}`;
}

/** Like `Database.translate`, for an operator: names the database that cannot be reached, and the reason. */
export function explainOutage(config: Config, database: Database, error: unknown): unknown {
  const translated = database.translate(error);
  if (!(translated instanceof Failure) || translated.kind !== 'unavailable') return translated;
  const sentence = translated.message.replace(/\.( Please try again\.)?$/, '');
  const reason = reasonOf(translated.cause);
  return new Error(`${sentence}: ${describeDatabase(config)}${reason === '' ? '' : ` (${reason})`}.`, {
    cause: translated,
  });
}

/** Node leaves the message empty if the attempts for several addresses have failed. */
function reasonOf(cause: unknown): string {
  const first = cause instanceof AggregateError && cause.message === '' ? cause.errors[0] : cause;
  return first instanceof Error ? first.message : '';
}

/** How often the start checks whether the database can be reached. */
const RETRY_MS = SECOND;

/**
 * Waits until the database can be reached, for example because it starts at the same time.
 * @param onWait called once, if it cannot be reached at first
 * @throws Error with a sentence after `HOLDALL_DATABASE_WAIT`, or at once for any other error
 */
export async function waitForDatabase(
  config: Config,
  database: Database,
  onWait: (sentence: string) => void,
): Promise<void> {
  if (config.databaseUrl === undefined) return;
  const endMs = performance.now() + config.databaseWaitMs;
  for (let isFirst = true; ; isFirst = false) {
    const error = await database.check().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error === undefined) return;
    const explained = explainOutage(config, database, error);
    const isUnreachable = error instanceof Failure && error.message === UNREACHABLE.message;
    if (!isUnreachable || performance.now() + RETRY_MS > endMs) throw explained;
    if (isFirst) onWait(`${String(explained).replace(/^Error: /, '')} The start waits for it.`);
    await sleep(RETRY_MS);
  }
}
