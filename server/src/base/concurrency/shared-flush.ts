/**
 * Lets callers that wait at the same time share one flush.
 *
 * Every caller waits for a flush that began after its call: a flush that runs already may have missed what
 * the caller has just written. So callers that arrive during a flush share the next one, and there is never
 * more than one flush running and one waiting.
 */
export class SharedFlush {
  readonly #flush: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /** Whether no flush is running or waiting. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#next === undefined;
  }

  /** Resolves when everything written before the call is on disk; rejects when that flush failed. */
  wait(): Promise<void> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<void> {
    // The error of the flush before this one goes to the callers that waited for it.
    await this.#running?.catch(() => undefined);
    this.#running = this.#next;
    this.#next = undefined;
    try {
      await this.#flush();
    } finally {
      this.#running = undefined;
    }
  }
}
