import type { FairSemaphore } from '../base/concurrency/fair-semaphore.ts';

interface SharedJob<T> {
  readonly result: Promise<T>;
  readonly resolve: (result: T) => void;
  readonly reject: (error: unknown) => void;
  /** Whether it runs by now. Then nobody waits for a turn any more. */
  hasBegun: boolean;
  /** The turns of those who wait, by requester. The first that comes does the work for all of them. */
  readonly turns: Map<string, Turn>;
}

interface Turn {
  /** Rejects if the turn is refused. */
  readonly refused: Promise<never>;
  readonly abandoned: AbortController;
  callers: number;
}

/**
 * Requests for the same thing at the same time share one job, and each requester waits in its own turn: a job
 * that is the last of one requester's many is done as soon as the turn of another one comes who wants it too.
 *
 * A job has the permit of one turn until its work has ended, also when all callers have gone. The other turns
 * for it then give up their places, so that nobody occupies a permit by waiting for the job of another.
 */
export class SharedJobs<T> {
  readonly #queue: FairSemaphore;
  readonly #jobs = new Map<string, SharedJob<T>>();

  constructor(queue: FairSemaphore) {
    this.#queue = queue;
  }

  /** The number of jobs that have not ended. */
  get size(): number {
    return this.#jobs.size;
  }

  /** The number of turns that have not come. */
  get waitingCount(): number {
    return this.#queue.waitingCount;
  }

  /**
   * Joins the job of the key if it runs, or waits for the requester's turn to do the work.
   * @param work runs once for all callers. Once it has begun, it continues without callers, and new ones may
   * join it
   * @param signal of this caller, who no longer waits when it aborts
   * @throws Failure `too-many` when too many turns wait; whatever the work throws; the reason of the signal
   */
  async run(key: string, requester: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const job = this.#jobs.get(key) ?? this.#add(key);
    const turn = job.hasBegun
      ? undefined
      : (job.turns.get(requester) ?? this.#wait(key, job, requester, work));
    if (turn !== undefined) turn.callers += 1;
    const { promise: gone, reject } = Promise.withResolvers<never>();
    const leave = () => {
      reject(signal.reason);
      if (turn === undefined) return;
      turn.callers -= 1;
      if (turn.callers === 0) this.#giveUp(key, job, requester, turn);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([job.result, gone, ...(turn === undefined ? [] : [turn.refused])]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #add(key: string): SharedJob<T> {
    const { promise: result, resolve, reject } = Promise.withResolvers<T>();
    // All callers may have gone when it fails.
    result.catch(() => undefined);
    const job: SharedJob<T> = { result, resolve, reject, hasBegun: false, turns: new Map() };
    this.#jobs.set(key, job);
    return job;
  }

  #wait(key: string, job: SharedJob<T>, requester: string, work: () => Promise<T>): Turn {
    const { promise: refused, reject } = Promise.withResolvers<never>();
    refused.catch(() => undefined);
    const turn: Turn = { refused, abandoned: new AbortController(), callers: 0 };
    job.turns.set(requester, turn);
    const take = async () => {
      // It may have been given up in the moment in which it came.
      if (!turn.abandoned.signal.aborted) await this.#do(key, job, turn, work);
    };
    this.#queue.run(requester, take, false, turn.abandoned.signal).catch((error: unknown) => {
      // The callers of a turn that was given up for the job of another wait for that.
      if (job.hasBegun) return;
      this.#remove(key, job, requester, turn);
      reject(error);
    });
    return turn;
  }

  async #do(key: string, job: SharedJob<T>, own: Turn, work: () => Promise<T>): Promise<void> {
    job.hasBegun = true;
    for (const turn of job.turns.values()) {
      if (turn !== own) turn.abandoned.abort();
    }
    job.turns.clear();
    try {
      job.resolve(await work());
    } catch (error) {
      job.reject(error);
    } finally {
      this.#jobs.delete(key);
    }
  }

  #giveUp(key: string, job: SharedJob<T>, requester: string, turn: Turn): void {
    if (job.hasBegun) return;
    this.#remove(key, job, requester, turn);
    turn.abandoned.abort();
  }

  #remove(key: string, job: SharedJob<T>, requester: string, turn: Turn): void {
    if (job.turns.get(requester) !== turn) return;
    job.turns.delete(requester);
    if (job.turns.size === 0) this.#jobs.delete(key);
  }
}
