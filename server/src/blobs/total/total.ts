import { type Clock, HOUR } from '../../base/clock.ts';
import type { Database, Db } from '../../database/database.ts';
import { addToTotal, findStoredTotal, lockTotal, type StoredTotal, sumNextBlobs } from './queries.ts';

/** A blob that has been there for so long has none before it whose transaction still runs. */
const SETTLED_MS = HOUR;

const BATCH = 10_000;

/** How much is stored; see `total-queries.ts`. */
export class BlobTotal {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Exact, and costs a look at what came since the last {@link update}. */
  find(db: Db): Promise<StoredTotal> {
    return findStoredTotal(db);
  }

  /** Takes into the sum what has come since the last time, a batch at a time. */
  async update(signal: AbortSignal): Promise<void> {
    for (let taken = BATCH; taken === BATCH && !signal.aborted; ) {
      taken = await this.#database.transact(async (tx) => {
        const next = await sumNextBlobs(tx, await lockTotal(tx), this.#clock.now() - SETTLED_MS, BATCH);
        if (next.objects > 0) await addToTotal(tx, next);
        return next.objects;
      });
    }
  }
}
