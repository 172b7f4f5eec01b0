import type { Logger } from 'pino';
import { MINUTE } from '../base/clock.ts';
import type { JobRuns } from '../job-runs/job-runs.ts';
import type { Leases } from '../leases/leases.ts';

const LEASE_MS = 2 * MINUTE;

interface TriggeredJobParts {
  /** Names the lease and appears in the log. */
  readonly name: string;
  readonly leases: Leases;
  /** Records the runs, for administrators. Without it, faults are only logged. */
  readonly runs?: JobRuns;
  readonly logger: Logger;
  /** After this time, another instance does the work of one that crashed. */
  readonly leaseMs?: number;
  readonly work: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * Work that runs soon after it is triggered, on one instance at a time. If it is triggered again while it
 * runs, it runs once more. The maintenance schedule makes up for a run that was lost because the process
 * died, or skipped because another instance holds the lease.
 */
export class TriggeredJob {
  readonly #parts: TriggeredJobParts;
  readonly #end = new AbortController();
  #running: Promise<void> | undefined;
  #isTriggered = false;

  constructor(parts: TriggeredJobParts) {
    this.#parts = parts;
  }

  /** Returns at once. */
  trigger(): void {
    this.#isTriggered = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when all triggered runs have ended. */
  async settle(): Promise<void> {
    await this.#running;
  }

  /** Aborts the running work and waits until it has ended. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isTriggered && !this.#end.signal.aborted) {
      this.#isTriggered = false;
      try {
        const { signal } = this.#end;
        await this.#parts.leases.runExclusively(
          this.#parts.name,
          this.#parts.leaseMs ?? LEASE_MS,
          async () => {
            const work = () => this.#parts.work(signal);
            await (this.#parts.runs?.record(this.#parts.name, work, signal) ?? work());
          },
        );
      } catch (error) {
        if (!this.#end.signal.aborted) {
          this.#parts.logger.error({ err: error, job: this.#parts.name }, 'a triggered job failed');
        }
      }
    }
  }
}
