/**
 * Lets those who ask for small things while a batch of them is done go into the next one together. The first begins at
 * once, so nobody waits for company; many at once pay once for what a batch costs.
 */
export class Batches<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #most: number;
  #waiting: Waiting<Item, Result>[] = [];
  #isRunning = false;

  /**
   * @param work gives a result for each item, in order; when it fails, all of the batch have failed
   * @param most items of one batch
   */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, most: number) {
    this.#work = work;
    this.#most = most;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#most);
      try {
        const results = await this.#work(batch.map(({ item }) => item));
        // As many as items, as the work has promised.
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
