/**
 * Lets callers that wait at the same time share one run of the same work, such as a flush or a query.
 *
 * Every caller waits for a run that began after its call: a run that has begun before may have missed what the
 * caller has just written. So callers that arrive during a run share the next one, and there is never more than one
 * running and one waiting.
 */
export class SharedRun<T> {
  readonly #work: () => Promise<T>;
  readonly #gather: () => Promise<void>;
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  /** @param gather what a run waits for before it begins, so that more callers can share it; by default nothing */
  constructor(work: () => Promise<T>, gather: () => Promise<void> = async () => {}) {
    this.#work = work;
    this.#gather = gather;
  }

  /** Whether nothing is running or waiting. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#next === undefined;
  }

  /** Returns the result of a run that began after the call; rejects with its error. */
  wait(): Promise<T> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<T> {
    // The error of the run before this one goes to the callers that waited for it.
    await this.#running?.catch(() => undefined);
    await this.#gather();
    this.#running = this.#next;
    this.#next = undefined;
    try {
      return await this.#work();
    } finally {
      this.#running = undefined;
    }
  }
}

/** A {@link SharedRun} for each key. Keeps only the keys with a run that has not ended. */
export class SharedRuns<T> {
  readonly #runs = new Map<string, SharedRun<T>>();
  readonly #gather: (() => Promise<void>) | undefined;

  /** @param gather see {@link SharedRun} */
  constructor(gather?: () => Promise<void>) {
    this.#gather = gather;
  }

  /** @param work the same for all calls with that key */
  async wait(key: string, work: () => Promise<T>): Promise<T> {
    let shared = this.#runs.get(key);
    if (shared === undefined) {
      shared = new SharedRun(work, this.#gather);
      this.#runs.set(key, shared);
    }
    try {
      return await shared.wait();
    } finally {
      // Another caller may have removed it already, and a third one may have added a new one.
      if (shared.isIdle && this.#runs.get(key) === shared) this.#runs.delete(key);
    }
  }
}
