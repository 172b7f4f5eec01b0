import type { Logger } from 'pino';
import { MINUTE } from '../base/clock.ts';
import type { Leases } from '../leases/leases.ts';

const LEASE_MS = 2 * MINUTE;

/** Something that has to be done now and then. It may be cut off anywhere and is simply done again. */
export interface Chore {
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** So that a service which is restarted often cleans up all the same. */
const FIRST_AFTER_MS = MINUTE;

/** Does the chores soon after the start and then every interval, on one instance at a time. */
export class Schedule {
  readonly #leases: Leases;
  readonly #logger: Logger;
  readonly #intervalMs: number;
  readonly #chores: readonly Chore[];
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: { leases: Leases; logger: Logger; intervalMs: number; chores: readonly Chore[] }) {
    this.#leases = parts.leases;
    this.#logger = parts.logger;
    this.#intervalMs = parts.intervalMs;
    this.#chores = parts.chores;
  }

  start(): void {
    this.#runAfter(Math.min(this.#intervalMs, FIRST_AFTER_MS));
  }

  /** Does all chores now, unless another instance is at them. One that fails is logged and does not stop the others. */
  async runOnce(): Promise<void> {
    try {
      await this.#leases.runExclusively('clean-up', LEASE_MS, () => this.#runChores());
    } catch (error) {
      this.#logger.error({ err: error }, 'the clean-up failed');
    }
  }

  /** Ends what runs, at the next place where it can. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#end.abort();
    await this.#running;
  }

  #runAfter(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.runOnce().finally(() => {
        if (!this.#end.signal.aborted) this.#runAfter(this.#intervalMs);
      });
    }, delayMs).unref();
  }

  async #runChores(): Promise<void> {
    for (const chore of this.#chores) {
      if (this.#end.signal.aborted) return;
      try {
        await chore.run(this.#end.signal);
      } catch (error) {
        if (this.#end.signal.aborted) return;
        this.#logger.error({ err: error, chore: chore.name }, 'a chore of the clean-up failed');
      }
    }
  }
}
