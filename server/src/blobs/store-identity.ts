import { Readable } from 'node:stream';
import type { Ids } from '../base/ids.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../settings/settings.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { ALL_DAYS, STORE_ID_KEY } from './object-key.ts';
import { findKnownKeys } from './queries.ts';

const BATCH = 500;

/**
 * Binds a store to its database, so that a wrong or a new database can never sweep the store empty. Both
 * record the same random id, which the first start generates.
 *
 * The id is written to the database before the store, so that even after a crash a store with an id has a
 * database with the same id. It is read from the store before the database: in the other order, an instance
 * that starts at the same time could write both ids between the two reads, and the store would seem to belong
 * to another database.
 *
 * @param names what the message calls the database and the store
 * @throws Error when the store belongs to another database
 */
export async function bindStore(parts: {
  database: Database;
  store: ObjectStore;
  settings: Settings;
  ids: Ids;
  names: { readonly database: string; readonly store: string };
}): Promise<void> {
  const { database, store, settings, ids, names } = parts;
  const storeId = await readStoreId(store);
  const databaseId = await settings.findMarker(database.db, STORE_ID_KEY);
  if (storeId !== undefined && storeId === databaseId) return;
  if (storeId !== undefined || !(await isEmptyOrOurs(database, store))) {
    throw new Error(
      `the objects in ${names.store} belong to another database than ${names.database}; use each database with its own store, or with an empty one.`,
    );
  }
  const id = await database.transact((tx) => settings.getOrCreateMarker(tx, STORE_ID_KEY, ids.uuid()));
  await store.write(STORE_ID_KEY, Readable.from([Buffer.from(id)]));
}

/**
 * Claims the store of a policy other than the default one for that policy of this database, if the store is
 * empty. Returns whether it belongs to the policy. If not, nothing in it may be swept: an admin may have
 * entered the location of another owner's objects, or that of the default policy under another name.
 */
export async function claimPolicyStore(parts: {
  database: Database;
  store: ObjectStore;
  settings: Settings;
  policyId: number;
}): Promise<boolean> {
  const { database, store, settings, policyId } = parts;
  const databaseId = await settings.findMarker(database.db, STORE_ID_KEY);
  if (databaseId === undefined) return false;
  const ownId = storeIdOf(databaseId, policyId);
  const storeId = await readStoreId(store);
  if (storeId !== undefined) return storeId === ownId;
  if (!(await isEmptyOrOurs(database, store, policyId))) return false;
  await store.write(STORE_ID_KEY, Readable.from([Buffer.from(ownId)]));
  return true;
}

/** Whether the store was claimed for a policy other than the default one. Writes nothing. */
export async function isClaimedStore(parts: {
  database: Database;
  store: ObjectStore;
  settings: Settings;
  policyId: number;
}): Promise<boolean> {
  const databaseId = await parts.settings.findMarker(parts.database.db, STORE_ID_KEY);
  if (databaseId === undefined) return false;
  return (await readStoreId(parts.store)) === storeIdOf(databaseId, parts.policyId);
}

/** Whether a policy may use the store: the store is claimed for it, or is neither claimed nor has objects. */
export async function isFree(parts: {
  database: Database;
  store: ObjectStore;
  settings: Settings;
  policyId: number | undefined;
}): Promise<boolean> {
  const { database, store, settings, policyId } = parts;
  const storeId = await readStoreId(store);
  if (storeId !== undefined) {
    const databaseId = await settings.findMarker(database.db, STORE_ID_KEY);
    return databaseId !== undefined && policyId !== undefined && storeId === storeIdOf(databaseId, policyId);
  }
  for await (const _object of store.list(ALL_DAYS)) return false;
  return true;
}

function storeIdOf(databaseId: string, policyId: number): string {
  return `${databaseId}/${policyId}`;
}

async function readStoreId(store: ObjectStore): Promise<string | undefined> {
  const found = await store.find(STORE_ID_KEY);
  if (found === undefined) return undefined;
  if (found.size === 0) return '';
  return (await store.read(STORE_ID_KEY, { start: 0, end: found.size - 1 })).toString();
}

/**
 * Whether a store without an id is empty, or has an object that a blob of the database refers to: of the
 * policy, if given.
 */
async function isEmptyOrOurs(database: Database, store: ObjectStore, policyId?: number): Promise<boolean> {
  const isAnyKnown = async () => {
    const known = await findKnownKeys(database.db, keys);
    return known.some((blob) => policyId === undefined || blob.policyId === policyId);
  };
  let keys: string[] = [];
  let isEmpty = true;
  for await (const { key } of store.list(ALL_DAYS)) {
    isEmpty = false;
    keys.push(key);
    if (keys.length < BATCH) continue;
    if (await isAnyKnown()) return true;
    keys = [];
  }
  return isEmpty || (keys.length > 0 && (await isAnyKnown()));
}
