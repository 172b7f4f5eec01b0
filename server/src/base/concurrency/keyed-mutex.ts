/**
 * Lets those who want the same thing wait for one another, first come first served, and nobody else.
 *
 * It orders the calls of this process only and promises nothing to other instances: what must not happen at the same
 * time is held by the database. It keeps those who would wait there from waiting with a connection in their hands.
 */
export class Turns<Key> {
  /** The end of each queue: resolves when the last one in it has given its turn on. */
  readonly #ends = new Map<Key, Promise<void>>();

  /** How many things somebody has or waits for. */
  get size(): number {
    return this.#ends.size;
  }

  /** Waits for the turn; gives what gives it on, which may be called more than once and counts once. */
  async take(key: Key): Promise<() => void> {
    const before = this.#ends.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.set(key, promise);
    await before;
    return () => {
      if (this.#ends.get(key) === promise) this.#ends.delete(key);
      resolve();
    };
  }
}
