import type { Clock } from '../base/clock.ts';
import { Batches } from '../base/concurrency/batches.ts';
import type { Database } from '../database/database.ts';
import { countView, spendUnit } from './queries.ts';

const MAX_BATCH = 64;

/** Something to be counted at one share. */
interface Count {
  readonly shareId: number;
  readonly what: 'view' | 'download';
}

/** How many views there are now, or whether a download was left. */
type CountResult = number | boolean | undefined;

/**
 * Counts views and downloads. Each is one statement that holds whatever is counted beside it; many that come at the same
 * moment share a transaction, and with it the wait until it is durable.
 */
export class ShareCounters {
  readonly #batches: Batches<Count, CountResult>;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#batches = new Batches(
      (counts) =>
        database.transact(async (tx) => {
          const results = new Map<Count, CountResult>();
          // In one order, so that two instances do not wait for each other's rows.
          for (const count of counts.toSorted((a, b) => a.shareId - b.shareId)) {
            const now = clock.now();
            const result =
              count.what === 'view'
                ? await countView(tx, count.shareId, now)
                : await spendUnit(tx, count.shareId, 'download', now);
            results.set(count, result);
          }
          return counts.map((count) => results.get(count));
        }),
      MAX_BATCH,
    );
  }

  /** Gives how many views that makes; undefined when the share is gone. */
  async view(shareId: number): Promise<number | undefined> {
    const views = await this.#batches.add({ shareId, what: 'view' });
    return typeof views === 'number' ? views : undefined;
  }

  /** False when it may not be downloaded (any more). */
  async spendDownload(shareId: number): Promise<boolean> {
    return (await this.#batches.add({ shareId, what: 'download' })) === true;
  }
}
