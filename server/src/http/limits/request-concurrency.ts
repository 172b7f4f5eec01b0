import type { ServerResponse } from 'node:http';
import { Failure } from '../../base/failure.ts';

/** The name of this limit in the metrics. */
export const REQUESTS_AT_ONCE = 'requests-at-once';

/** The share of an address's requests that may have no login. */
const WITHOUT_LOGIN = 1 / 5;

interface Counts {
  all: number;
  withoutLogin: number;
}

/**
 * Limits the requests of one client address that run at the same time, so that one machine cannot take all
 * connections and memory. Each instance counts in memory. Event streams, long polls and downloads count until
 * they end.
 */
export class RequestConcurrency {
  readonly #max: number;
  readonly #onRefused: (limit: string) => void;
  readonly #counts = new Map<string, Counts>();

  /**
   * @param max requests of one address; unlimited if undefined
   * @param onRefused called with the name of this limit for each rejected request
   */
  constructor(max: number | undefined, onRefused: (limit: string) => void = () => {}) {
    this.#onRefused = onRefused;
    this.#max = max ?? Number.POSITIVE_INFINITY;
  }

  /** The number of addresses with running requests. */
  get size(): number {
    return this.#counts.size;
  }

  /**
   * Counts a request until its response is closed. Called before anything is looked up for the request.
   * @param key the client's address as `addressKeyOf` returns it
   * @throws Failure `too-many`
   */
  begin(key: string, response: ServerResponse): void {
    this.#begin('all', this.#max, key, response);
  }

  /**
   * Counts a request once it is known to have no login.
   * @throws Failure `too-many`
   */
  beginAnonymous(key: string, response: ServerResponse): void {
    this.#begin('withoutLogin', Math.floor(this.#max * WITHOUT_LOGIN), key, response);
  }

  #begin(which: keyof Counts, max: number, key: string, response: ServerResponse): void {
    if (max === Number.POSITIVE_INFINITY) return;
    const counts = this.#counts.get(key) ?? { all: 0, withoutLogin: 0 };
    if (counts[which] >= max) {
      this.#onRefused(REQUESTS_AT_ONCE);
      throw new Failure('too-many', 'Too many requests from this address at once. Please wait a moment.');
    }
    counts[which] += 1;
    this.#counts.set(key, counts);
    // Emitted when the response ends or the client disconnects, whichever comes first.
    response.once('close', () => {
      counts[which] -= 1;
      if (counts.all === 0 && counts.withoutLogin === 0) this.#counts.delete(key);
    });
  }
}
