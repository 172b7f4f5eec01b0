import type { Logger } from 'pino';
import { MINUTE } from '../base/clock.ts';
import type { JobRuns } from '../job-runs/job-runs.ts';
import type { Leases } from '../leases/leases.ts';

const LEASE_MS = 2 * MINUTE;

/** Work that recurs. It may be interrupted at any point; the next run does the rest. */
export interface MaintenanceJob {
  /** What the job does, for the log. */
  readonly name: string;
  readonly runOnce: (signal: AbortSignal) => Promise<unknown>;
  /** Set if the job only triggers work that records its own runs. */
  readonly isTrigger?: true;
}

/** Short, so that a service that restarts often still gets its maintenance. */
const FIRST_RUN_AFTER_MS = MINUTE;

interface MaintenanceScheduleParts {
  readonly leases: Leases;
  readonly runs: JobRuns;
  readonly logger: Logger;
  readonly intervalMs: number;
  readonly jobs: readonly MaintenanceJob[];
}

/** Runs all maintenance jobs soon after the start and then at every interval, on one instance at a time. */
export class MaintenanceSchedule {
  readonly #parts: MaintenanceScheduleParts;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: MaintenanceScheduleParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#runAfter(Math.min(this.#parts.intervalMs, FIRST_RUN_AFTER_MS));
  }

  /**
   * Runs all jobs now, unless another instance runs them. A job that fails is logged; the others still run.
   */
  async runOnce(): Promise<void> {
    try {
      await this.#parts.leases.runExclusively('clean-up', LEASE_MS, () => this.#runJobs());
    } catch (error) {
      this.#parts.logger.error({ err: error }, 'the maintenance run failed');
    }
  }

  /** Stops the schedule, aborts the running job and waits until it has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#end.abort();
    await this.#running;
  }

  #runAfter(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.runOnce().finally(() => {
        if (!this.#end.signal.aborted) this.#runAfter(this.#parts.intervalMs);
      });
    }, delayMs).unref();
  }

  async #runJobs(): Promise<void> {
    for (const job of this.#parts.jobs) {
      if (this.#end.signal.aborted) return;
      try {
        await this.#runJob(job);
      } catch (error) {
        if (this.#end.signal.aborted) return;
        this.#parts.logger.error({ err: error, job: job.name }, 'a maintenance job failed');
      }
    }
  }

  #runJob({ name, runOnce, isTrigger }: MaintenanceJob): Promise<unknown> {
    const { signal } = this.#end;
    return isTrigger ? runOnce(signal) : this.#parts.runs.record(name, () => runOnce(signal), signal);
  }
}
