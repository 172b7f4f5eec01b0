/**
 * What a program has to take away before it ends: other programs, directories. The newest goes first, and
 * Ctrl-C takes the same way. Only synchronous work, so that nothing can come between.
 */
export class Leftovers {
  readonly #removals = new Set<() => void>();

  /** Gives a function that runs the removal now; it runs once, whoever comes first. */
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

  /** From now on a signal removes everything and ends the program with the status that shells expect. */
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
