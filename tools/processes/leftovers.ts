/**
 * What a program must remove before it ends: other programs, directories. The newest is removed first, and
 * Ctrl-C does the same. All removals are synchronous, so that nothing can run in between.
 */
export class Leftovers {
  readonly #removals = new Set<() => void>();

  /** Returns a function that runs the removal now; it runs only once. */
  add(remove: () => void): () => void {
    const removeOnce = () => {
      if (this.#removals.delete(removeOnce)) remove();
    };
    this.#removals.add(removeOnce);
    return removeOnce;
  }

  removeAll(): void {
    for (const remove of [...this.#removals].reverse()) remove();
  }

  /** Makes a signal remove everything and end the program with the status that shells expect. */
  removeOnSignals(): void {
    for (const [signal, number] of [
      ['SIGINT', 2],
      ['SIGTERM', 15],
      ['SIGHUP', 1],
    ] as const) {
      process.on(signal, () => {
        this.removeAll();
        process.exit(128 + number);
      });
    }
  }
}
