import { Failure } from '../failure.ts';

/**
 * Limits how many callers may do something at the same time. Callers that find no free permit wait in a queue
 * and get one in the order of their calls.
 */
export class Semaphore {
  readonly #maxWaiting: number;
  #free: number;
  /**
   * The waiting callers in the order of their calls. A set, so that an aborted call is removed in constant
   * time.
   */
  readonly #queue = new Set<() => void>();

  /**
   * @param permits how many callers may hold a permit at the same time
   * @param maxWaiting how many more may wait for one
   */
  constructor(permits: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#free = permits;
    this.#maxWaiting = maxWaiting;
  }

  /** Number of callers that wait for a permit. */
  get waitingCount(): number {
    return this.#queue.size;
  }

  /**
   * Waits for a permit. Every permit must be returned exactly once, with {@link release}.
   *
   * @throws Failure `unavailable` at once when the queue is full
   * @throws the reason of the signal when it is aborted before there is a permit
   */
  async acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#queue.size >= this.#maxWaiting) {
      throw new Failure('unavailable', 'The server is busy. Please try again in a moment.', {
        retryAfterSeconds: 1,
      });
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onPermit = () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = () => {
      this.#queue.delete(onPermit);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#queue.add(onPermit);
    await promise;
  }

  /** Releases a permit. The first caller in the queue gets it, if there is one. */
  release(): void {
    const [first] = this.#queue;
    if (first === undefined) {
      this.#free += 1;
      return;
    }
    this.#queue.delete(first);
    first();
  }

  /** Runs the work with a permit. Rejects with the errors of {@link acquire} and of the work. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.acquire(signal);
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
