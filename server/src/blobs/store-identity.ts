import { Readable } from 'node:stream';
import type { Ids } from '../base/ids.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../settings/settings.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { ALL_DAYS, STORE_ID_KEY } from './object-key.ts';
import { findKnownKeys } from './queries.ts';

const BATCH = 500;

/**
 * Ties a store to its database, so that a wrong or a new database can never sweep a store empty: both keep one random
 * id, made at the first start.
 *
 * The database keeps it first. So a store with an id has a database with the same, whenever the program died, and is
 * asked first: an instance that starts at the same moment cannot come between.
 *
 * @param places how a person knows them, for the message
 * @throws Error when they do not belong together
 */
export async function bindStore(parts: {
  database: Database;
  store: ObjectStore;
  settings: Settings;
  ids: Ids;
  places: { readonly database: string; readonly store: string };
}): Promise<void> {
  const { database, store, settings, ids, places } = parts;
  const marked = await readStoreId(store);
  const recorded = await settings.findMarker(database.db, STORE_ID_KEY);
  if (marked !== undefined && marked === recorded) return;
  if (marked !== undefined || !(await isOwn(database, store))) {
    throw new Error(
      `the objects in ${places.store} belong to another database than ${places.database}; give each database the store that it was used with, or an empty one.`,
    );
  }
  const id = await database.transact((tx) => settings.getOrCreateMarker(tx, STORE_ID_KEY, ids.uuid()));
  await store.write(STORE_ID_KEY, Readable.from([Buffer.from(id)]));
}

/**
 * Whether the store of a policy other than the default one belongs to that policy of this database; an empty one is taken
 * for it. Until it does, nothing in it may be swept: an admin may have named, perhaps in other words, a place where
 * somebody else's objects lie, or the default policy's own.
 */
export async function claimPolicyStore(parts: {
  database: Database;
  store: ObjectStore;
  settings: Settings;
  policyId: number;
}): Promise<boolean> {
  const { database, store, settings, policyId } = parts;
  const recorded = await settings.findMarker(database.db, STORE_ID_KEY);
  if (recorded === undefined) return false;
  const own = markOf(recorded, policyId);
  const marked = await readStoreId(store);
  if (marked !== undefined) return marked === own;
  if (!(await isOwn(database, store, policyId))) return false;
  await store.write(STORE_ID_KEY, Readable.from([Buffer.from(own)]));
  return true;
}

/** Whether the store of such a policy was seen to be its own. Writes nothing. */
export async function isClaimedStore(parts: {
  database: Database;
  store: ObjectStore;
  settings: Settings;
  policyId: number;
}): Promise<boolean> {
  const recorded = await parts.settings.findMarker(parts.database.db, STORE_ID_KEY);
  return recorded !== undefined && (await readStoreId(parts.store)) === `${recorded}/${parts.policyId}`;
}

/** Whether nobody else than the policy has claimed a place, or keeps anything in one that is not claimed. */
export async function isFree(parts: {
  database: Database;
  store: ObjectStore;
  settings: Settings;
  policyId: number | undefined;
}): Promise<boolean> {
  const { database, store, settings, policyId } = parts;
  const marked = await readStoreId(store);
  if (marked !== undefined) {
    const recorded = await settings.findMarker(database.db, STORE_ID_KEY);
    return recorded !== undefined && policyId !== undefined && marked === markOf(recorded, policyId);
  }
  for await (const _object of store.list(ALL_DAYS)) return false;
  return true;
}

function markOf(databaseId: string, policyId: number): string {
  return `${databaseId}/${policyId}`;
}

async function readStoreId(store: ObjectStore): Promise<string | undefined> {
  const found = await store.find(STORE_ID_KEY);
  if (found === undefined) return undefined;
  if (found.size === 0) return '';
  return (await store.read(STORE_ID_KEY, { start: 0, end: found.size - 1 })).toString();
}

/** Whether a store without an id holds nothing, or something that the database knows: of the policy, if one is named. */
async function isOwn(database: Database, store: ObjectStore, policyId?: number): Promise<boolean> {
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
