/**
 * Combines small requests into batches: requests that arrive while a batch runs go into the next one
 * together. The first request starts a batch at once, so no request waits for others to arrive.
 */
export class Batches<Request, Result> {
  readonly #runBatch: (requests: readonly Request[]) => Promise<readonly Result[]>;
  readonly #maxSize: number;
  #waiting: Waiting<Request, Result>[] = [];
  #isRunning = false;

  /**
   * @param runBatch returns one result per request, in the same order; when it fails, all requests of the
   *   batch fail
   * @param maxSize how many requests a batch may have
   */
  constructor(runBatch: (requests: readonly Request[]) => Promise<readonly Result[]>, maxSize: number) {
    this.#runBatch = runBatch;
    this.#maxSize = maxSize;
  }

  add(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxSize);
      try {
        const results = await this.#runBatch(batch.map(({ request }) => request));
        // The constructor requires one result per request.
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
