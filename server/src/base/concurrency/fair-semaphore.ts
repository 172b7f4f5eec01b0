import { Failure } from '../failure.ts';

interface Waiter {
  readonly goesFirst: boolean;
  readonly start: () => void;
  readonly reject: (error: Failure) => void;
}

/**
 * Limits how much work runs at the same time, and shares the permits fairly between keys. By default each key
 * has at most one permit. Waiting keys take turns, however much work each of them has. When too much work
 * waits, the last work of the key with the most is rejected.
 */
export class FairSemaphore {
  readonly #maxWaiting: number;
  readonly #permitsPerKey: number;
  #free: number;
  #waitingCount = 0;
  /** How many permits each key has. Keys without a permit are left out. */
  readonly #running = new Map<string, number>();
  /** The waiting work of each key, in the order of the keys' turns. No queue is empty. */
  readonly #queues = new Map<string, Waiter[]>();

  /**
   * @param permits how much work may run at the same time
   * @param maxWaiting how much work may wait, for all keys together
   * @param permitsPerKey how much work of one key may run at the same time
   */
  constructor(permits: number, maxWaiting: number, permitsPerKey = 1) {
    this.#free = permits;
    this.#maxWaiting = maxWaiting;
    this.#permitsPerKey = permitsPerKey;
  }

  get waitingCount(): number {
    return this.#waitingCount;
  }

  /**
   * Runs the work when it is the key's turn.
   * @param goesFirst whether it goes before the key's other work, though not before that of other keys
   * @param signal removes the work if it has not started
   * @throws Failure `too-many` when too much work waits; the reason of the signal; whatever the work throws
   */
  async run<T>(key: string, work: () => Promise<T>, goesFirst = false, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await this.#acquire(key, goesFirst, signal);
    try {
      return await work();
    } finally {
      this.#release(key);
    }
  }

  async #acquire(key: string, goesFirst: boolean, signal: AbortSignal | undefined): Promise<void> {
    // While a permit is free, waiting keys already have all permits they may have, so none of them is
    // overtaken.
    if (this.#free > 0 && this.#mayStart(key)) return this.#start(key);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    const place = goesFirst ? queue.findIndex((waiter) => !waiter.goesFirst) : -1;
    const waiter = { goesFirst, start: resolve, reject };
    queue.splice(place === -1 ? queue.length : place, 0, waiter);
    this.#waitingCount += 1;
    if (this.#waitingCount > this.#maxWaiting) this.#rejectOne();
    const onAbort = () => {
      this.#remove(key, waiter);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Removes waiting work. Does nothing if it has started. */
  #remove(key: string, waiter: Waiter): void {
    const queue = this.#queues.get(key) ?? [];
    const place = queue.indexOf(waiter);
    if (place === -1) return;
    queue.splice(place, 1);
    this.#waitingCount -= 1;
    if (queue.length === 0) this.#queues.delete(key);
  }

  #mayStart(key: string): boolean {
    return (this.#running.get(key) ?? 0) < this.#permitsPerKey;
  }

  #start(key: string): void {
    this.#free -= 1;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  #release(key: string): void {
    this.#free += 1;
    const left = (this.#running.get(key) ?? 1) - 1;
    if (left === 0) this.#running.delete(key);
    else this.#running.set(key, left);
    for (const [next, queue] of this.#queues) {
      if (!this.#mayStart(next)) continue;
      const waiter = queue.shift();
      this.#waitingCount -= 1;
      // Its next turn comes after those of all other keys.
      this.#queues.delete(next);
      if (queue.length > 0) this.#queues.set(next, queue);
      this.#start(next);
      waiter?.start();
      return;
    }
  }

  /** Rejects the last waiter of the longest queue. It may be the one that has just come. */
  #rejectOne(): void {
    const [first, ...others] = this.#queues;
    if (first === undefined) return;
    const [key, queue] = others.reduce(
      (most, each) => (each[1].length > most[1].length ? each : most),
      first,
    );
    const last = queue.pop();
    this.#waitingCount -= 1;
    if (queue.length === 0) this.#queues.delete(key);
    last?.reject(new Failure('too-many', 'The server is busy. Please try again in a moment.'));
  }
}
