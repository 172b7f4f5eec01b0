import type { Logger } from 'pino';
import { MINUTE } from '../base/clock.ts';
import type { Leases } from '../leases/leases.ts';

const LEASE_MS = 2 * MINUTE;

/**
 * Work that is done soon after somebody asks for it, on one instance at a time. Asked again while it runs, it is done
 * once more. What is missed by a death, or because another instance was at it, the schedule takes up.
 */
export class Errand {
  readonly #name: string;
  readonly #leases: Leases;
  readonly #logger: Logger;
  readonly #work: (signal: AbortSignal) => Promise<unknown>;
  readonly #end = new AbortController();
  #running: Promise<void> | undefined;
  #isAsked = false;

  constructor(parts: {
    name: string;
    leases: Leases;
    logger: Logger;
    work: (signal: AbortSignal) => Promise<unknown>;
  }) {
    this.#name = parts.name;
    this.#leases = parts.leases;
    this.#logger = parts.logger;
    this.#work = parts.work;
  }

  /** Returns at once. */
  ask(): void {
    this.#isAsked = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when all is done that was asked for. */
  async settle(): Promise<void> {
    await this.#running;
  }

  /** Ends what runs, at the next place where it can. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isAsked && !this.#end.signal.aborted) {
      this.#isAsked = false;
      try {
        await this.#leases.runExclusively(this.#name, LEASE_MS, async () => {
          await this.#work(this.#end.signal);
        });
      } catch (error) {
        if (!this.#end.signal.aborted) {
          this.#logger.error({ err: error, errand: this.#name }, 'an errand failed');
        }
      }
    }
  }
}
