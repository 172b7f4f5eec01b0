/**
 * Runs tasks one after another, in the order in which they were added. A task that fails does not stop the
 * others.
 */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects with the task. */
  run<T>(task: () => Promise<T> | T): Promise<T> {
    const running = this.#last.then(task);
    this.#last = running.catch(() => undefined);
    return running;
  }

  /** Resolves when the tasks that were added so far have ended. Never rejects. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
