import { withTimeLimit } from '../concurrency/time-limit.ts';

/**
 * Caches a value that is costly to read, for callers that may ask at any rate. Only one read runs at a time.
 */
export class CachedReading<T> {
  readonly #read: () => Promise<T>;
  readonly #maxAgeMs: number;
  readonly #maxWaitMs: number;
  #running: Promise<T> | undefined;
  #last: { readonly value: T; readonly readAt: number } | undefined;

  constructor(read: () => Promise<T>, { maxAgeMs, maxWaitMs }: { maxAgeMs: number; maxWaitMs: number }) {
    this.#read = read;
    this.#maxAgeMs = maxAgeMs;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Undefined if the value cannot be read, or not in time. */
  async get(): Promise<T | undefined> {
    if (this.#last !== undefined && performance.now() - this.#last.readAt < this.#maxAgeMs) {
      return this.#last.value;
    }
    this.#running ??= this.#readNow().finally(() => {
      this.#running = undefined;
    });
    const late = () => new Error('The value was not read in time.');
    return await withTimeLimit(this.#running, this.#maxWaitMs, late).catch(() => undefined);
  }

  async #readNow(): Promise<T> {
    const value = await this.#read();
    this.#last = { value, readAt: performance.now() };
    return value;
  }
}
