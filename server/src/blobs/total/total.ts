import { type Clock, HOUR } from '../../base/clock.ts';
import type { Database, Db } from '../../database/database.ts';
import {
  addToTotal,
  countUnsettledIds,
  findStoredTotal,
  lockTotal,
  type StoredTotal,
  sumNextBlobs,
} from './queries.ts';

/** When a blob is this old, no transaction that inserts a smaller id is running any more. */
const SETTLED_MS = HOUR;

const BATCH = 10_000;

/** On SQLite, the sum of more blobs is computed on a thread. */
const MAX_SHORT_SUM = 20_000;

/** The number and bytes of all stored blobs; `queries.ts` explains how they are counted. */
export class BlobTotal {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** The exact total. Reads the blobs that were stored since the last {@link update}. */
  find(): Promise<StoredTotal> {
    const isLong = async (db: Db) => (await countUnsettledIds(db)) > MAX_SHORT_SUM;
    return this.#database.readBySize(isLong, findStoredTotal);
  }

  /** Adds the settled blobs to the recorded total, in batches. */
  async update(signal: AbortSignal): Promise<void> {
    await this.#database.transactInBatches(BATCH, signal, async (tx, limit) => {
      const next = await sumNextBlobs(tx, await lockTotal(tx), this.#clock.now() - SETTLED_MS, limit);
      if (next.objects > 0) await addToTotal(tx, next);
      return next.objects;
    });
  }
}
