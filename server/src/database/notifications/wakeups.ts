import type { NotificationChannel } from './notification-channel.ts';

/**
 * Lets callers wait until a transaction, on this or another instance, changes something under a key.
 *
 * A caller must start to wait before it reads the table; then it misses no change. Any later commit wakes it.
 * So does a reconnect of the channel, because messages may have been lost. A wake-up only means "read the
 * table again".
 */
export class Wakeups {
  readonly #channel: NotificationChannel | undefined;
  readonly #waiters = new Map<string, Set<(isWoken: boolean) => void>>();
  #isSubscribed = false;
  #isClosed = false;

  /** @param channel undefined when only one instance can use the database */
  constructor(channel: NotificationChannel | undefined) {
    this.#channel = channel;
  }

  /**
   * Resolves with true when the key is woken; with false on timeout, when the signal aborts, or on `close()`.
   */
  wait(key: string, signal: AbortSignal, timeoutMs: number): Promise<boolean> {
    if (this.#isClosed || signal.aborted) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (isWoken: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      this.#remove(key, end);
      resolve(isWoken);
    };
    const giveUp = () => end(false);
    const timer = setTimeout(giveUp, timeoutMs);
    signal.addEventListener('abort', giveUp, { once: true });
    const others = this.#waiters.get(key);
    if (others === undefined) this.#waiters.set(key, new Set([end]));
    else others.add(end);
    this.#subscribe();
    return promise;
  }

  /** Wakes the callers on this instance that wait for the key. */
  wake(key: string): void {
    for (const end of [...(this.#waiters.get(key) ?? [])]) end(true);
  }

  /** The number of callers that wait on this instance. */
  get waiterCount(): number {
    return [...this.#waiters.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Ends every wait with false; later calls of `wait` resolve immediately. */
  close(): void {
    this.#isClosed = true;
    for (const end of [...this.#waiters.values()].flatMap((ends) => [...ends])) end(false);
  }

  #subscribe(): void {
    if (this.#isSubscribed) return;
    this.#isSubscribed = true;
    this.#channel?.subscribe({
      kind: 'wakeup',
      onMessage: (key) => this.wake(key),
      onReconnect: () => this.#wakeAll(),
    });
  }

  #wakeAll(): void {
    for (const key of [...this.#waiters.keys()]) this.wake(key);
  }

  #remove(key: string, end: (isWoken: boolean) => void): void {
    const waiters = this.#waiters.get(key);
    waiters?.delete(end);
    if (waiters?.size === 0) this.#waiters.delete(key);
  }
}
