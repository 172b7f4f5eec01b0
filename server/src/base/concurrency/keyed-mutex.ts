/**
 * A mutex per key: callers with the same key run one after another, in the order of their calls.
 *
 * It orders the calls of this process only; the database prevents conflicts between instances. With the
 * mutex, callers wait here instead of in the database, where each of them would occupy a connection.
 */
export class KeyedMutex<Key> {
  /** The end of each queue: a promise that resolves when the last caller in it has released the key. */
  readonly #ends = new Map<Key, Promise<void>>();

  /** Number of keys that are locked or waited for. */
  get size(): number {
    return this.#ends.size;
  }

  /** Waits for the key; returns a function that releases it. Calling that function again has no effect. */
  async acquire(key: Key): Promise<() => void> {
    const previous = this.#ends.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.set(key, promise);
    await previous;
    return () => {
      if (this.#ends.get(key) === promise) this.#ends.delete(key);
      resolve();
    };
  }
}
