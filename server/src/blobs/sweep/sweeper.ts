import { type Clock, DAY, type Instant } from '../../base/clock.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Policies } from '../../policies/policies.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { ALL_DAYS, dayOf, dayOfKey, isOwnKey, prefixOfDay } from '../object-key.ts';
import { type OnFault, removeObjects } from '../object-removal.ts';
import { StoreOwnership } from '../store-ownership.ts';
import { type ObjectClaims, OrphanSearch } from './orphans.ts';
import { deleteBlobs, markForRemoval, type RemovalCursor } from './queries.ts';

const BATCH = 500;

/** How far the objects of a policy have been looked at. */
const markOf = (policyId: number) => `orphans-swept-through-${policyId}`;

/** So long a day is looked at again because of what could not be removed from it. */
const FAULTY_DAY_KEPT_MS = 30 * DAY;

/** Keeps the removal of what nothing refers to apart from whoever needs it to stay: a backup that is being made. */
export interface RemovalLease {
  /** Does the work unless objects have to stay; gives whether. */
  runExclusively(work: () => Promise<void>): Promise<boolean>;
  /** Whether that still holds; if so, until the transaction ends. */
  lockIfHeld(tx: Tx): Promise<boolean>;
}

/**
 * Removes the bytes that nothing refers to any more, once the grace time has passed.
 *
 * Blobs whose count came to 0 are marked in the database before their bytes are removed, and their row goes last; so a
 * sweep that is cut off is taken up by the next one, and no row is ever left pointing at nothing. Objects that no
 * transaction ever took (the program died between the bytes and the commit) have no row at all: they are found by
 * listing the days since the last sweep, since keys begin with their day; the first sweep of a database lists all.
 *
 * What fails is told and left for the next sweep; everything else is done in this one.
 */
export class BlobSweeper {
  readonly #database: Database;
  readonly #policies: Policies;
  readonly #storeOwnership: StoreOwnership;
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #orphans: OrphanSearch;
  readonly #removalLease: RemovalLease;
  readonly #onFault: OnFault;

  constructor(parts: {
    database: Database;
    policies: Policies;
    settings: Settings;
    clock: Clock;
    graceMs: number;
    /** How long an announced upload may stay unfinished. */
    uploadSessionTtlMs: number;
    claims: readonly ObjectClaims[];
    removalLease: RemovalLease;
    onFault: OnFault;
  }) {
    this.#database = parts.database;
    this.#policies = parts.policies;
    this.#storeOwnership = new StoreOwnership(parts);
    this.#settings = parts.settings;
    this.#clock = parts.clock;
    this.#graceMs = parts.graceMs;
    this.#orphans = new OrphanSearch(parts);
    this.#removalLease = parts.removalLease;
    this.#onFault = parts.onFault;
  }

  /** Gives how many objects were removed. Fails only when the signal ends it. */
  async sweep(signal: AbortSignal): Promise<number> {
    const before = this.#clock.now() - this.#graceMs;
    let count = 0;
    const countRemoved = (removed: number) => {
      count += removed;
    };
    for (const { id: policyId } of await this.#policies.listOpenable()) {
      await this.#try(`open the store of policy ${policyId}`, signal, async () => {
        const swept = { policyId, store: await this.#policies.getStore(policyId) };
        await this.#storeOwnership.claim(policyId);
        await this.#try('remove unreferenced objects', signal, () =>
          this.#removalLease.runExclusively(() =>
            this.#removeUnreferenced(swept, before, signal, countRemoved),
          ),
        );
        await this.#try('remove orphaned objects', signal, () =>
          this.#removeOrphans(swept, before, signal, countRemoved),
        );
        await this.#try('remove abandoned writes', signal, () =>
          swept.store.removeAbandonedWrites(before, (keys) => this.#orphans.findKeysToKeep(keys)),
        );
      });
    }
    return count;
  }

  async #removeUnreferenced(
    { policyId, store }: SweptStore,
    before: Instant,
    signal: AbortSignal,
    countRemoved: (removed: number) => void,
  ): Promise<void> {
    for (let after: RemovalCursor | undefined; ; ) {
      signal.throwIfAborted();
      const page = { after, most: BATCH };
      const due = await this.#database.transact(async (tx) =>
        (await this.#removalLease.lockIfHeld(tx))
          ? markForRemoval(tx, policyId, before, this.#clock.now(), page)
          : [],
      );
      if (due.length === 0) return;
      after = due.at(-1);
      const keys = due.map((blob) => blob.objectKey);
      const stuck = new Set(await this.#remove(store, keys, signal));
      const removed = due.filter((blob) => !stuck.has(blob.objectKey)).map((blob) => blob.id);
      await this.#database.transact((tx) => deleteBlobs(tx, removed));
      countRemoved(removed.length);
      // A store that lets go of nothing is out of reach: what else is due would only wait for it too.
      if (due.length === BATCH && removed.length === 0) return;
    }
  }

  async #removeOrphans(
    { policyId, store }: SweptStore,
    before: Instant,
    signal: AbortSignal,
    countRemoved: (removed: number) => void,
  ): Promise<void> {
    const today = this.#clock.now();
    // Asked before anything is listed: an upload that runs out meanwhile may leave its bytes on a day just passed.
    const oldest = await this.#orphans.getOldestClaim(today);
    const mark = await this.#settings.findMarker(this.#database.db, markOf(policyId));
    const faultyDays: string[] = [];
    for (const prefix of mark === undefined ? [ALL_DAYS] : daysFrom(mark, today).map(prefixOfDay)) {
      const listed = await this.#try(`look for orphaned objects in ${prefix}`, signal, async () => {
        for await (const keys of this.#listBatches(store, prefix, before)) {
          const orphans = await this.#orphans.findOrphans(policyId, keys);
          const stuck = await this.#remove(store, orphans, signal);
          countRemoved(orphans.length - stuck.length);
          faultyDays.push(...stuck.map(dayOfKey));
        }
      });
      if (listed) continue;
      if (prefix === ALL_DAYS) return;
      faultyDays.push(dayOfKey(`${prefix}/`));
    }
    const longAgo = dayOf(today - FAULTY_DAY_KEPT_MS);
    // Of every earlier day all uploads have ended, all objects are older than the grace time and were looked at, and
    // none is claimed.
    const seenThrough = [
      // Twice: some objects are looked at only when they are as old as the longest upload, by the date of its beginning.
      dayOf(before - 2 * this.#orphans.longestUploadMs),
      dayOf(oldest),
      ...faultyDays.filter((day) => day > longAgo),
    ].reduce((earliest, day) => (day < earliest ? day : earliest));
    await this.#database.transact((tx) => this.#settings.putMarker(tx, markOf(policyId), seenThrough));
  }

  async *#listBatches(
    store: ObjectStore,
    prefix: string,
    before: Instant,
  ): AsyncGenerator<readonly string[]> {
    let keys: string[] = [];
    for await (const object of store.list(prefix)) {
      if (!isOwnKey(object.key) || !this.#orphans.wasStoredBefore(object, before)) continue;
      keys.push(object.key);
      if (keys.length < BATCH) continue;
      yield keys;
      keys = [];
    }
    if (keys.length > 0) yield keys;
  }

  #remove(store: ObjectStore, keys: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    return removeObjects(store, keys, { signal, onFault: this.#onFault });
  }

  /** False when it failed and that was told; an end by the signal is passed on. */
  async #try(doing: string, signal: AbortSignal, act: () => Promise<unknown>): Promise<boolean> {
    signal.throwIfAborted();
    try {
      await act();
      return true;
    } catch (error) {
      signal.throwIfAborted();
      this.#onFault(error, doing);
      return false;
    }
  }
}

/** The days from the one that the mark names to today, as in object keys. */
function daysFrom(mark: string, today: Instant): readonly string[] {
  const days: string[] = [];
  for (let instant = today; dayOf(instant) >= mark; instant -= DAY) days.push(dayOf(instant));
  return days;
}

interface SweptStore {
  readonly policyId: number;
  readonly store: ObjectStore;
}
