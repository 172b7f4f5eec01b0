import type { Clock } from '../base/clock.ts';
import { Batches } from '../base/concurrency/batches.ts';
import type { Database } from '../database/database.ts';
import type { LinkEndings } from '../links/links.ts';
import { countView, spendUnit } from './queries.ts';

const MAX_BATCH = 64;

/** A view or download of a share that is to be counted. */
interface Count {
  readonly shareId: number;
  readonly what: 'view' | 'download';
}

/** The new number of views, or whether a download was left; undefined if the share is gone. */
type CountResult = number | boolean | undefined;

interface ShareCountersParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly endings: LinkEndings;
}

/**
 * Counts views and downloads of shares. Each count is a single conditional statement, so concurrent counts
 * are correct. They share a transaction, and so they wait for durability only once.
 */
export class ShareCounters {
  readonly #batches: Batches<Count, CountResult>;

  constructor({ database, clock, endings }: ShareCountersParts) {
    this.#batches = new Batches(
      (counts) =>
        database.transact(async (tx) => {
          const results = new Map<Count, CountResult>();
          const usedUp: number[] = [];
          // Ordered by share, so that two instances cannot deadlock.
          for (const count of counts.toSorted((a, b) => a.shareId - b.shareId)) {
            const now = clock.now();
            if (count.what === 'view') {
              results.set(count, await countView(tx, count.shareId, now));
              continue;
            }
            const spent = await spendUnit(tx, count.shareId, 'download', now);
            if (spent?.isLast === true) usedUp.push(count.shareId);
            results.set(count, spent !== undefined);
          }
          await endings.tellUsedUp(tx, usedUp);
          return counts.map((count) => results.get(count));
        }),
      MAX_BATCH,
    );
  }

  /** @returns the new number of views; undefined if the share is gone */
  async countView(shareId: number): Promise<number | undefined> {
    const views = await this.#batches.add({ shareId, what: 'view' });
    return typeof views === 'number' ? views : undefined;
  }

  /**
   * Spends one download of the budget. Returns false if the share does not, or no longer, allow downloads.
   */
  async spendDownload(shareId: number): Promise<boolean> {
    return (await this.#batches.add({ shareId, what: 'download' })) === true;
  }
}
