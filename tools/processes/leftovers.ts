/**
 * Programs and directories that must be removed before this program ends, also on Ctrl-C. The newest is
 * removed first. All removals are synchronous, so that nothing can run in between.
 */
export class Leftovers {
  readonly #removals = new Set<() => void>();

  /** Returns a function that runs the removal immediately. It runs only once. */
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
