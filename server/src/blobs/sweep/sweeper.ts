import { type Clock, DAY, type Instant } from '../../base/clock.ts';
import type { Database, Tx } from '../../database/database.ts';
import { deleteExpiredRows } from '../../database/expired-rows.ts';
import type { Policies } from '../../policies/policies.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { ALL_DAYS, dayOf, dayOfKey, isOwnKey, prefixOfDay } from '../object-key.ts';
import { type OnFault, removeObjects } from '../object-removal.ts';
import { StoreOwnership } from '../store-ownership.ts';
import { type ObjectClaims, OrphanSearch } from './orphans.ts';
import { deleteBlobs, markForRemoval, type RemovalCursor } from './queries.ts';

const BATCH = 500;

/** The name of the marker that records up to which day the objects of a policy were swept. */
const markerOf = (policyId: number) => `orphans-swept-through-${policyId}`;

/** How long sweeps return to a day with objects that could not be removed. */
const FAULTY_DAY_RETRY_MS = 30 * DAY;

/** The lease that excludes the removal of unreferenced objects from a backup, which needs them to stay. */
interface RemovalLease {
  /** Does the work unless another holder has the lease. Returns whether the work was done. */
  runExclusively(work: () => Promise<void>): Promise<boolean>;
  /** Returns whether this instance still holds the lease. If so, it keeps it until the transaction ends. */
  lockIfHeld(tx: Tx): Promise<boolean>;
}

interface BlobSweeperParts {
  readonly database: Database;
  readonly policies: Policies;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly graceMs: number;
  /** How long an announced upload may stay unfinished. */
  readonly uploadSessionTtlMs: number;
  readonly claims: readonly ObjectClaims[];
  readonly removalLease: RemovalLease;
  readonly onFault: OnFault;
}

/**
 * Removes objects that nothing refers to, once the grace time has passed.
 *
 * Unreferenced blobs are marked in the database before their bytes are removed, and their rows are deleted
 * last. So the next sweep completes an interrupted one, and no usable row ever refers to missing bytes.
 * Orphaned objects have no row, because the program crashed between writing the bytes and the commit. They
 * are found by listing the days since the last sweep, as keys begin with their day. The first sweep of a
 * policy lists all objects.
 *
 * A slow upload may still be about to refer to such an object. So the key is recorded before the bytes are
 * removed, and then the upload fails.
 *
 * A step that fails is reported, and the next sweep repeats it. The other steps still run.
 */
export class BlobSweeper {
  readonly #parts: BlobSweeperParts;
  readonly #storeOwnership: StoreOwnership;
  readonly #orphans: OrphanSearch;

  constructor(parts: BlobSweeperParts) {
    this.#parts = parts;
    this.#storeOwnership = new StoreOwnership(parts);
    this.#orphans = new OrphanSearch(parts);
  }

  /** Returns the number of removed objects. @throws only the reason of the signal, and database errors */
  async sweep(signal: AbortSignal): Promise<number> {
    const before = this.#parts.clock.now() - this.#parts.graceMs;
    let count = 0;
    const countRemoved = (removed: number) => {
      count += removed;
    };
    for (const { id: policyId } of await this.#parts.policies.listOpenable()) {
      await this.#try(`open the store of policy ${policyId}`, signal, async () => {
        const swept = { policyId, store: await this.#parts.policies.getStore(policyId) };
        await this.#storeOwnership.claim(policyId);
        await this.#try('remove unreferenced objects', signal, () =>
          this.#parts.removalLease.runExclusively(() =>
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
    await deleteExpiredRows(this.#parts.database, 'removed_object', this.#parts.clock.now(), signal);
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
      const page = { policyId, before, now: this.#parts.clock.now(), after, limit: BATCH };
      const due = await this.#parts.database.transact(async (tx) =>
        (await this.#parts.removalLease.lockIfHeld(tx)) ? markForRemoval(tx, page) : [],
      );
      if (due.length === 0) return;
      after = due.at(-1);
      const keys = due.map((blob) => blob.objectKey);
      const notRemoved = new Set(await this.#remove(store, keys, signal));
      const removed = due.filter((blob) => !notRemoved.has(blob.objectKey)).map((blob) => blob.id);
      await this.#parts.database.transact((tx) => deleteBlobs(tx, removed));
      countRemoved(removed.length);
      // If nothing at all can be removed, the store is unavailable, and the other blobs would only wait for
      // it too.
      if (due.length === BATCH && removed.length === 0) return;
    }
  }

  async #removeOrphans(
    { policyId, store }: SweptStore,
    before: Instant,
    signal: AbortSignal,
    countRemoved: (removed: number) => void,
  ): Promise<void> {
    const today = this.#parts.clock.now();
    // Queried before any day is listed: an upload that expires meanwhile may leave its bytes on a day that
    // was listed.
    const oldest = await this.#orphans.getOldestClaim(today);
    const firstDay = await this.#parts.settings.findMarker(this.#parts.database.db, markerOf(policyId));
    const faultyDays: string[] = [];
    for (const prefix of firstDay === undefined ? [ALL_DAYS] : daysFrom(firstDay, today).map(prefixOfDay)) {
      const listed = await this.#try(`look for orphaned objects in ${prefix}`, signal, async () => {
        for await (const keys of this.#listBatches(store, prefix, before)) {
          const orphans = await this.#orphans.findOrphans(policyId, keys);
          const due = await this.#beginRemoval(policyId, orphans);
          const notRemoved = await this.#remove(store, due, signal);
          countRemoved(due.length - notRemoved.length);
          faultyDays.push(...notRemoved.map(dayOfKey));
        }
      });
      if (listed) continue;
      if (prefix === ALL_DAYS) return;
      faultyDays.push(dayOfKey(`${prefix}/`));
    }
    const longAgo = dayOf(today - FAULTY_DAY_RETRY_MS);
    // The next sweep begins at this day. On every earlier day all uploads have ended, no object is claimed,
    // and all objects are older than the grace time and were checked.
    const nextFirstDay = [
      // Subtracted twice: an object dated by the beginning of its upload is not checked before it is as old
      // as the longest upload.
      dayOf(before - 2 * this.#orphans.maxUploadMs),
      dayOf(oldest),
      ...faultyDays.filter((day) => day > longAgo),
    ].reduce((earliest, day) => (day < earliest ? day : earliest));
    await this.#parts.database.transact((tx) =>
      this.#parts.settings.putMarker(tx, markerOf(policyId), nextFirstDay),
    );
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

  async #beginRemoval(policyId: number, orphans: readonly string[]): Promise<readonly string[]> {
    if (orphans.length === 0) return [];
    const now = this.#parts.clock.now();
    return await this.#parts.database.transact((tx) =>
      this.#orphans.beginRemoval(tx, policyId, orphans, now),
    );
  }

  #remove(store: ObjectStore, keys: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    return removeObjects(store, keys, { signal, onFault: this.#parts.onFault });
  }

  /** Returns false after reporting an error. @throws the reason of the signal */
  async #try(doing: string, signal: AbortSignal, act: () => Promise<unknown>): Promise<boolean> {
    signal.throwIfAborted();
    try {
      await act();
      return true;
    } catch (error) {
      signal.throwIfAborted();
      this.#parts.onFault(error, doing);
      return false;
    }
  }
}

/** The days from `firstDay` to today, in the form of object keys. */
function daysFrom(firstDay: string, today: Instant): readonly string[] {
  const days: string[] = [];
  for (let instant = today; dayOf(instant) >= firstDay; instant -= DAY) days.push(dayOf(instant));
  return days;
}

interface SweptStore {
  readonly policyId: number;
  readonly store: ObjectStore;
}
