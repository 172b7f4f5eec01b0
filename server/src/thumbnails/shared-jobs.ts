interface SharedJob<T> {
  readonly result: Promise<T>;
  readonly abandoned: AbortController;
  /** Whether it does its work by now, and no longer waits for its turn. */
  hasBegun: boolean;
  callers: number;
}

type StartJob<T> = (signal: AbortSignal, begin: () => void) => Promise<T>;

/** Callers that ask for the same thing at the same time share one job. */
export class SharedJobs<T> {
  readonly #jobs = new Map<string, SharedJob<T>>();

  /** The number of jobs that have not ended. */
  get size(): number {
    return this.#jobs.size;
  }

  /**
   * Starts a job, or joins the one that runs for the key.
   * @param start Its signal aborts when all callers have gone, to give up the place of a job that waits. A job
   *   that calls `begin` goes on without callers, and new ones may join it.
   * @param signal of this caller, who no longer waits when it aborts
   * @throws whatever the job throws; the reason of the signal
   */
  async run(key: string, start: StartJob<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const job = this.#findUsable(key) ?? this.#start(key, start);
    job.callers += 1;
    const { promise: gone, reject } = Promise.withResolvers<never>();
    const leave = () => {
      job.callers -= 1;
      if (job.callers === 0) job.abandoned.abort(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([job.result, gone]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Nobody may join a job that is being given up. */
  #findUsable(key: string): SharedJob<T> | undefined {
    const job = this.#jobs.get(key);
    return job?.hasBegun || !job?.abandoned.signal.aborted ? job : undefined;
  }

  #start(key: string, start: StartJob<T>): SharedJob<T> {
    const abandoned = new AbortController();
    const { promise: result, resolve, reject } = Promise.withResolvers<T>();
    const job: SharedJob<T> = { result, abandoned, hasBegun: false, callers: 0 };
    const begin = () => {
      job.hasBegun = true;
    };
    start(abandoned.signal, begin)
      .finally(() => {
        if (this.#jobs.get(key) === job) this.#jobs.delete(key);
      })
      .then(resolve, reject);
    // All callers may have gone when it fails.
    result.catch(() => undefined);
    this.#jobs.set(key, job);
    return job;
  }
}
