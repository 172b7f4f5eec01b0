import type { Wire } from './notification-channel.ts';

/**
 * Lets those wait who want to know of a change that a transaction of any instance makes. Whoever waits under a key
 * before looking at the table misses none: what commits behind the look wakes, and so does everything that may have
 * gone unheard. Being woken means to look again, no more.
 */
export class Wakeups {
  readonly #wire: Wire | undefined;
  readonly #waiting = new Map<string, Set<(isWoken: boolean) => void>>();
  #isListening = false;
  #isClosed = false;

  /** @param wire undefined where there is no instance but this one */
  constructor(wire: Wire | undefined) {
    this.#wire = wire;
  }

  /** Resolves with true when it is time to look again, with false when the time is up, or the signal or the service ends. */
  wait(key: string, signal: AbortSignal, timeoutMs: number): Promise<boolean> {
    if (this.#isClosed || signal.aborted) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (isWoken: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      this.#leave(key, end);
      resolve(isWoken);
    };
    const giveUp = () => end(false);
    const timer = setTimeout(giveUp, timeoutMs);
    signal.addEventListener('abort', giveUp, { once: true });
    const others = this.#waiting.get(key);
    if (others === undefined) this.#waiting.set(key, new Set([end]));
    else others.add(end);
    this.#listen();
    return promise;
  }

  /** Wakes those who wait here. */
  wake(key: string): void {
    for (const end of [...(this.#waiting.get(key) ?? [])]) end(true);
  }

  /** How many wait here. */
  get count(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Sends everybody away; who comes later does not wait. */
  close(): void {
    this.#isClosed = true;
    for (const end of [...this.#waiting.values()].flatMap((ends) => [...ends])) end(false);
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#wire?.listen({
      to: 'wakeup',
      hear: (word) => this.wake(word),
      lookAgain: () => this.#wakeAll(),
    });
  }

  #wakeAll(): void {
    for (const key of [...this.#waiting.keys()]) this.wake(key);
  }

  #leave(key: string, end: (isWoken: boolean) => void): void {
    const waiting = this.#waiting.get(key);
    waiting?.delete(end);
    if (waiting?.size === 0) this.#waiting.delete(key);
  }
}
