import { Failure } from '../failure.ts';

interface Waiter {
  readonly goesFirst: boolean;
  readonly start: () => void;
  readonly reject: (error: Failure) => void;
}

/**
 * Limits how much work runs at the same time, and shares the permits fairly between keys: each key has one
 * permit at most, and keys that wait take turns, however much work each of them has. When too much work
 * waits, the key with the most of it loses its last.
 */
export class FairSemaphore {
  readonly #maxWaiting: number;
  #free: number;
  #waitingCount = 0;
  readonly #runningKeys = new Set<string>();
  /** In the order of the keys' turns. No queue is empty. */
  readonly #queues = new Map<string, Waiter[]>();

  /**
   * @param permits how much work may run at the same time
   * @param maxWaiting how much may wait, of all keys together
   */
  constructor(permits: number, maxWaiting: number) {
    this.#free = permits;
    this.#maxWaiting = maxWaiting;
  }

  get waitingCount(): number {
    return this.#waitingCount;
  }

  /**
   * Runs the work when it is the key's turn.
   * @param goesFirst whether it goes before the key's other work, though not before that of other keys
   * @throws Failure `too-many` when too much work waits; whatever the work throws
   */
  async run<T>(key: string, work: () => Promise<T>, goesFirst = false): Promise<T> {
    await this.#acquire(key, goesFirst);
    try {
      return await work();
    } finally {
      this.#release(key);
    }
  }

  async #acquire(key: string, goesFirst: boolean): Promise<void> {
    // While a permit is free, the keys that wait are running, so none of them is overtaken here.
    if (this.#free > 0 && !this.#runningKeys.has(key)) return this.#start(key);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    const place = goesFirst ? queue.findIndex((waiter) => !waiter.goesFirst) : -1;
    queue.splice(place === -1 ? queue.length : place, 0, { goesFirst, start: resolve, reject });
    this.#waitingCount += 1;
    if (this.#waitingCount > this.#maxWaiting) this.#rejectOne();
    await promise;
  }

  #start(key: string): void {
    this.#free -= 1;
    this.#runningKeys.add(key);
  }

  #release(key: string): void {
    this.#free += 1;
    this.#runningKeys.delete(key);
    for (const [next, queue] of this.#queues) {
      if (this.#runningKeys.has(next)) continue;
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
