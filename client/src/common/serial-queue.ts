/**
 * Runs tasks one after another, in the order in which they were added. A failed task does not stop the
 * others.
 */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a task in its turn. Resolves or rejects like the task. */
  run<T>(task: () => Promise<T> | T): Promise<T> {
    const running = this.#last.then(task);
    this.#last = running.catch(() => undefined);
    return running;
  }

  /** Resolves when all tasks added so far have ended. Never rejects. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
