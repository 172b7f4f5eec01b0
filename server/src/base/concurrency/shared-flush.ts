/**
 * One flush for all who wait at the same time.
 *
 * Whoever calls `wait` after writing is answered by a flush that *began* after the call: a flush that is
 * already running may have passed the written bytes by, so newcomers gather for the next one. However many
 * gather, there is at most one flush running and one waiting.
 */
export class SharedFlush {
  readonly #flush: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /** Resolves when all that was written before the call is on disk; rejects when that flush failed. */
  wait(): Promise<void> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<void> {
    // A failure of the flush before ours is told to those who waited for it.
    await this.#running?.catch(() => undefined);
    this.#running = this.#next;
    this.#next = undefined;
    await this.#flush();
  }
}
