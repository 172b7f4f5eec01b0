/** Runs only a few calls at a time. The others wait in order. */
export class TurnTaker {
  readonly #limit: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws the reason of the signal if it aborts before the call has its turn */
  async run<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      signal?.throwIfAborted();
      return await call();
    } finally {
      // Whoever comes next takes over this turn.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
