interface PeriodicCheckParts {
  readonly everyMs: number;
  readonly check: () => Promise<void>;
  /** Called if a check fails. The next one follows all the same. */
  readonly onFault: (error: unknown) => void;
}

/** Runs a check when it is started and then again and again, one at a time. */
export class PeriodicCheck {
  readonly #parts: PeriodicCheckParts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: PeriodicCheckParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#run();
    this.#timer = setInterval(() => this.#run(), this.#parts.everyMs).unref();
  }

  /** Waits until the running check has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #run(): void {
    this.#running ??= this.#parts
      .check()
      .catch(this.#parts.onFault)
      .finally(() => {
        this.#running = undefined;
      });
  }
}
