import { type Clock, DAY, type Instant } from '../base/clock.ts';
import type { Database, Db } from '../database/database.ts';
import type { Policies } from '../policies/policies.ts';
import type { Settings } from '../settings/settings.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { ALL_DAYS, dayOf, dayOfKey, isOwnKey, prefixOfDay } from './object-key.ts';
import { type OnFault, removeObjects } from './object-removal.ts';
import { PolicyPlaces } from './policy-places.ts';
import { deleteBlobs, findKnownKeys, markForRemoval, type RemovalCursor } from './queries.ts';

const BATCH = 500;

/** How far the objects of a policy have been looked at. */
const markOf = (policyId: number) => `orphans-swept-through-${policyId}`;

/**
 * A key has the day on which its upload began, and its object comes when it ends. No request runs longer than this, and
 * an announced upload no longer than this behind its time: by an address that was signed at its last moment.
 */
const LONGEST_REQUEST_MS = 3 * DAY;

/** So long a day is looked at again because of what could not be removed from it. */
const FAULTY_DAY_KEPT_MS = 30 * DAY;

/** What stands for objects besides blobs: uploads that have not been completed, and blobs that are being moved. */
export interface ObjectClaims {
  /** Of these keys, those that are claimed. A key goes from a claim to a blob, or back, in one transaction. */
  findClaimedKeys(db: Db, keys: readonly string[]): Promise<readonly string[]>;
  /**
   * When the oldest claim was made that may end and leave its object behind: no key of such a claim has an earlier day.
   */
  findOldest(db: Db): Promise<Instant | undefined>;
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
  readonly #places: PolicyPlaces;
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #longestUploadMs: number;
  readonly #claims: readonly ObjectClaims[];
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
    onFault: OnFault;
  }) {
    this.#database = parts.database;
    this.#policies = parts.policies;
    this.#places = new PolicyPlaces(parts);
    this.#settings = parts.settings;
    this.#clock = parts.clock;
    this.#graceMs = parts.graceMs;
    this.#longestUploadMs = parts.uploadSessionTtlMs + LONGEST_REQUEST_MS;
    this.#claims = parts.claims;
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
        await this.#places.claim(policyId);
        await this.#try('remove unreferenced objects', signal, () =>
          this.#removeUnreferenced(swept, before, signal, countRemoved),
        );
        await this.#try('remove orphaned objects', signal, () =>
          this.#removeOrphans(swept, before, signal, countRemoved),
        );
        await this.#try('remove abandoned writes', signal, () =>
          swept.store.removeAbandonedWrites(before, (keys) => this.#findWanted(keys)),
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
      const due = await this.#database.transact((tx) =>
        markForRemoval(tx, policyId, before, this.#clock.now(), page),
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
    const oldest = await this.#findOldestClaim(today);
    const mark = await this.#settings.findMark(this.#database.db, markOf(policyId));
    const faultyDays: string[] = [];
    for (const prefix of mark === undefined ? [ALL_DAYS] : daysFrom(mark, today).map(prefixOfDay)) {
      const listed = await this.#try(`look for orphaned objects in ${prefix}`, signal, async () => {
        for await (const keys of this.#listBatches(store, prefix, before)) {
          const orphans = await this.#findUnknown(policyId, keys);
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
      dayOf(before - 2 * this.#longestUploadMs),
      dayOf(oldest),
      ...faultyDays.filter((day) => day > longAgo),
    ].reduce((earliest, day) => (day < earliest ? day : earliest));
    await this.#database.transact((tx) => this.#settings.putMark(tx, markOf(policyId), seenThrough));
  }

  async *#listBatches(
    store: ObjectStore,
    prefix: string,
    before: Instant,
  ): AsyncGenerator<readonly string[]> {
    let keys: string[] = [];
    for await (const object of store.list(prefix)) {
      const latest = object.isDatedByBeginning ? before - this.#longestUploadMs : before;
      if (object.modifiedAt > latest || !isOwnKey(object.key)) continue;
      keys.push(object.key);
      if (keys.length < BATCH) continue;
      yield keys;
      keys = [];
    }
    if (keys.length > 0) yield keys;
  }

  async #findUnknown(policyId: number, keys: readonly string[]): Promise<readonly string[]> {
    // Claims first: a key that becomes a blob's between the two questions is then in both answers. The other way round
    // it would be in neither.
    const claimed = await this.#findClaimed(keys);
    const blobs = await findKnownKeys(this.#database.db, keys);
    const own = blobs.filter((blob) => blob.policyId === policyId).map((blob) => blob.objectKey);
    const known = new Set([...claimed, ...own]);
    const unknown = keys.filter((key) => !known.has(key));
    // And again: the key of a blob that has been moved away is claimed from then on.
    const left = new Set(await this.#findClaimed(unknown));
    return unknown.filter((key) => !left.has(key));
  }

  /** Those that must not be ended: what is claimed, and what is not ours at all but lies below our prefix. */
  async #findWanted(keys: readonly string[]): Promise<readonly string[]> {
    const own = keys.filter(isOwnKey);
    return [...keys.filter((key) => !isOwnKey(key)), ...(await this.#findClaimed(own))];
  }

  async #findClaimed(keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length === 0) return [];
    const claimed: string[] = [];
    for (const claims of this.#claims)
      claimed.push(...(await claims.findClaimedKeys(this.#database.db, keys)));
    return claimed;
  }

  async #findOldestClaim(today: Instant): Promise<Instant> {
    let oldest = today;
    for (const claims of this.#claims) {
      oldest = Math.min(oldest, (await claims.findOldest(this.#database.db)) ?? today);
    }
    return oldest;
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
