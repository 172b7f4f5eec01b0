import { type Clock, DAY } from '../base/clock.ts';
import { toRecordedMessage } from '../base/errors.ts';
import type { Database, Tx } from '../database/database.ts';
import { findJobRuns, type JobRun, putJobRun } from './queries.ts';

export type { JobRun } from './queries.ts';

/** The names of the jobs that an operator starts. All other jobs are maintenance jobs. */
export const BACKUP_RUN = 'backup';
export const DOCTOR_RUN = 'doctor';
export const DEEP_DOCTOR_RUN = 'doctor --deep';

export const OPERATOR_RUNS: readonly string[] = [BACKUP_RUN, DOCTOR_RUN, DEEP_DOCTOR_RUN];

const MAX_AGE_MS = 30 * DAY;

/** Runs in the transaction that records how a job ended. The error is null if it succeeded. */
type RecordedHook = (tx: Tx, run: { readonly name: string; readonly error: string | null }) => Promise<void>;

/** Records when each recurring job last ran and how it ended, so that an operator can see failures. */
export class JobRuns {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onFault: (error: unknown) => void;
  /** The first fault of each running job that continued despite it. Belongs to the run that ends first. */
  readonly #noted = new Map<string, unknown>();
  #onRecorded: RecordedHook = async () => {};

  /** @param onFault called if a run could not be recorded */
  constructor(database: Database, clock: Clock, onFault: (error: unknown) => void) {
    this.#database = database;
    this.#clock = clock;
    this.#onFault = onFault;
  }

  /** Calls the hook for each run that is recorded. */
  onRecorded(hook: RecordedHook): void {
    this.#onRecorded = hook;
  }

  /**
   * Does the work and records how it ended. Work that was interrupted by the signal is not recorded.
   * @throws whatever the work throws
   */
  async record<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const beganAt = performance.now();
    const end = async (error: unknown) => {
      const fault = error ?? this.#noted.get(name);
      this.#noted.delete(name);
      if (signal?.aborted !== true) await this.#put(name, performance.now() - beganAt, fault);
    };
    try {
      const result = await work();
      await end(undefined);
      return result;
    } catch (error) {
      await end(error);
      throw error;
    }
  }

  /** Makes the running job count as failed. For faults after which the job continues with the rest. */
  noteFault(name: string, error: unknown): void {
    if (!this.#noted.has(name)) this.#noted.set(name, error);
  }

  /**
   * The last run of each job, by name. Left out: maintenance jobs without a run for a month, which no longer
   * exist.
   */
  async list(): Promise<readonly JobRun[]> {
    const runs = await findJobRuns(this.#database.db);
    const since = this.#clock.now() - MAX_AGE_MS;
    return runs.filter(({ name, endedAt }) => endedAt >= since || OPERATOR_RUNS.includes(name));
  }

  async #put(name: string, durationMs: number, fault: unknown): Promise<void> {
    // An empty text would mean success.
    const error = fault === undefined ? null : toRecordedMessage(fault, 'unknown');
    const run = { name, endedAt: this.#clock.now(), durationMs: Math.round(durationMs), error };
    const put = async (tx: Tx) => {
      await putJobRun(tx, run);
      await this.#onRecorded(tx, run);
    };
    // Losing the record of a run in a power cut is harmless.
    await this.#database.transactVolatile(put).catch(this.#onFault);
  }
}
