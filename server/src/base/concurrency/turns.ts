import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may occupy the event loop before it lets the loop turn. */
export const MAX_TURN_MS = 8;

/**
 * For a long loop that computes: lets the event loop turn from time to time, so that other requests are
 * served meanwhile.
 *
 * ```ts
 * const turns = new Turns();
 * for (const each of many) {
 *   if (turns.isOver()) await turns.next();
 *   …
 * }
 * ```
 */
export class Turns {
  readonly #maxMs: number;
  #beganAt = performance.now();

  constructor(maxMs = MAX_TURN_MS) {
    this.#maxMs = maxMs;
  }

  /** Whether this turn has lasted too long. */
  isOver(): boolean {
    return performance.now() - this.#beganAt >= this.#maxMs;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#beganAt = performance.now();
  }
}
