import type { FairSemaphore } from '../base/concurrency/fair-semaphore.ts';

interface SharedJob<T> {
  readonly result: Promise<T>;
  readonly resolve: (result: T) => void;
  readonly reject: (error: unknown) => void;
  /** Whether the job has begun. From then on no one waits for a turn. */
  hasBegun: boolean;
  /** The waiting turns, by requester. The first turn that comes does the work for all of them. */
  readonly turns: Map<string, Turn>;
}

interface Turn {
  /** Rejects if the queue rejects the turn. */
  readonly refused: Promise<never>;
  readonly abandoned: AbortController;
  callers: number;
}

/**
 * Concurrent requests for the same thing share one job, but each requester waits for its own turn. The job
 * runs when the first of these turns comes. So a requester need not wait behind the long queue of another one
 * who wants the same.
 *
 * A job keeps the permit of one turn until its work has ended, even if all callers have left. The other turns
 * for the job then give up their places, so that no one occupies a permit only to wait for a running job.
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

  /** The number of turns that have not come yet. */
  get waitingCount(): number {
    return this.#queue.waitingCount;
  }

  /**
   * Joins the running job for the key, or waits for the requester's turn to do the work.
   * @param work runs once for all callers. Once it has begun, it continues even without callers, and new
   *   callers may join it.
   * @param signal of this caller, who stops waiting when it aborts
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
    // When the job fails, all callers may have left, so no one would handle the rejection.
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
      // The turn may have been given up at the very moment when it came.
      if (!turn.abandoned.signal.aborted) await this.#do(key, job, turn, work);
    };
    this.#queue.run(requester, take, false, turn.abandoned.signal).catch((error: unknown) => {
      // The turn was given up because another turn runs the job. Its callers wait for that job.
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
