/**
 * Attempts that may wait under one key. More come from an attack, not from people in a hurry, and are
 * rejected.
 */
const MAX_WAITING = 50;
/**
 * Other instances do not report when they free slots, so the first attempt in a queue retries at this
 * interval.
 */
const RETRY_MS = 250;

interface Queue {
  /** The functions that wake the waiting attempts, in order. */
  readonly waiters: (() => void)[];
  readonly timer: NodeJS.Timeout;
}

/**
 * Attempts that wait for a free slot under a key, in the order of arrival. They wait in memory, which costs
 * the database nothing.
 *
 * This is not a `Semaphore` (`base/concurrency/semaphore.ts`), because the slots of all instances are counted
 * in the database. A woken waiter does not get a slot, but asks for one. If there is none, it returns to the
 * front of the queue.
 */
export class AttemptQueues {
  readonly #queues = new Map<string, Queue>();

  hasWaiting(key: string): boolean {
    return this.#queues.has(key);
  }

  /**
   * Waits until the attempt may try again. Resolves with false if the queue is full or the signal is aborted.
   * @param isRetry whether the attempt was woken before and found no slot; it then goes to the front of the
   *   queue
   */
  wait(key: string, deadline: AbortSignal, isRetry: boolean): Promise<boolean> {
    const queue = this.#queues.get(key) ?? this.#open(key);
    if (deadline.aborted || (!isRetry && queue.waiters.length >= MAX_WAITING)) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const onDeadline = () => {
      this.#remove(key, wake);
      resolve(false);
    };
    const wake = () => {
      deadline.removeEventListener('abort', onDeadline);
      resolve(true);
    };
    deadline.addEventListener('abort', onDeadline, { once: true });
    if (isRetry) queue.waiters.unshift(wake);
    else queue.waiters.push(wake);
    return promise;
  }

  /** Wakes the first attempt of the queue, because a slot may be free. */
  wakeNext(key: string): void {
    const wakeFirst = this.#queues.get(key)?.waiters[0];
    if (wakeFirst === undefined) return;
    this.#remove(key, wakeFirst);
    wakeFirst();
  }

  #open(key: string): Queue {
    const queue = { waiters: [], timer: setInterval(() => this.wakeNext(key), RETRY_MS) };
    this.#queues.set(key, queue);
    return queue;
  }

  #remove(key: string, wake: () => void): void {
    const queue = this.#queues.get(key);
    const index = queue?.waiters.indexOf(wake) ?? -1;
    if (queue === undefined || index === -1) return;
    queue.waiters.splice(index, 1);
    if (queue.waiters.length > 0) return;
    clearInterval(queue.timer);
    this.#queues.delete(key);
  }
}
