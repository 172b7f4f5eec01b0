import { type Clock, DAY, type Instant } from '../base/clock.ts';
import type { Database, Db } from '../database/database.ts';
import type { Settings } from '../settings/settings.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { dayOf, prefixOfDay } from './object-key.ts';
import { deleteBlobs, findKnownKeys, markForRemoval } from './queries.ts';

const BATCH = 500;
const MARK = 'orphans-swept-through';

/** Of these keys, those that something other than a blob still wants: an upload that has not been completed. */
export type FindClaimedKeys = (db: Db, keys: readonly string[]) => Promise<readonly string[]>;

/**
 * Removes the bytes that nothing refers to any more, once the grace time has passed.
 *
 * Blobs whose count came to 0 are marked in the database before their bytes are removed, and their row goes last; so a
 * sweep that is cut off is taken up by the next one, and no row is ever left pointing at nothing. Objects that no
 * transaction ever took (the program died between the bytes and the commit) have no row at all: they are found by
 * listing the days since the last sweep, since keys begin with their day.
 */
export class BlobSweeper {
  readonly #database: Database;
  readonly #store: ObjectStore;
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #findClaimed: FindClaimedKeys;

  constructor(parts: {
    database: Database;
    store: ObjectStore;
    settings: Settings;
    clock: Clock;
    graceMs: number;
    findClaimed: FindClaimedKeys;
  }) {
    this.#database = parts.database;
    this.#store = parts.store;
    this.#settings = parts.settings;
    this.#clock = parts.clock;
    this.#graceMs = parts.graceMs;
    this.#findClaimed = parts.findClaimed;
  }

  /** Gives how many objects were removed. */
  async sweep(signal: AbortSignal): Promise<number> {
    const before = this.#clock.now() - this.#graceMs;
    const unreferenced = await this.#removeUnreferenced(before, signal);
    const orphans = await this.#removeOrphans(before, signal);
    await this.#store.removeAbandonedWrites(before);
    return unreferenced + orphans;
  }

  async #removeUnreferenced(before: Instant, signal: AbortSignal): Promise<number> {
    for (let count = 0; ; ) {
      signal.throwIfAborted();
      const due = await this.#database.transact((tx) => markForRemoval(tx, before, this.#clock.now(), BATCH));
      if (due.length === 0) return count;
      await this.#store.remove(due.map((blob) => blob.objectKey));
      await this.#database.transact((tx) =>
        deleteBlobs(
          tx,
          due.map((blob) => blob.id),
        ),
      );
      count += due.length;
    }
  }

  async #removeOrphans(before: Instant, signal: AbortSignal): Promise<number> {
    const today = this.#clock.now();
    let count = 0;
    for (const day of daysFrom(await this.#settings.findMark(this.#database.db, MARK), today)) {
      let keys: string[] = [];
      for await (const object of this.#store.list(prefixOfDay(day))) {
        signal.throwIfAborted();
        if (object.modifiedAt > before) continue;
        keys.push(object.key);
        if (keys.length < BATCH) continue;
        count += await this.#removeUnknown(keys);
        keys = [];
      }
      count += await this.#removeUnknown(keys);
    }
    // Everything that began before this day is older than the grace time and has been looked at.
    const seenThrough = dayOf(before - DAY);
    await this.#database.transact((tx) => this.#settings.putMark(tx, MARK, seenThrough));
    return count;
  }

  async #removeUnknown(keys: readonly string[]): Promise<number> {
    if (keys.length === 0) return 0;
    const known = new Set([
      ...(await findKnownKeys(this.#database.db, keys)),
      ...(await this.#findClaimed(this.#database.db, keys)),
    ]);
    const orphans = keys.filter((key) => !known.has(key));
    await this.#store.remove(orphans);
    return orphans.length;
  }
}

/** The days from the one that the mark names (without one: the last ten) to today, as in object keys. */
function daysFrom(mark: string | undefined, today: Instant): readonly string[] {
  const days: string[] = [];
  const first = mark ?? dayOf(today - 10 * DAY);
  for (let instant = today; dayOf(instant) >= first; instant -= DAY) days.push(dayOf(instant));
  return days;
}
