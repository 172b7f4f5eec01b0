import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Attempt, JsonObject } from './job.ts';
import { completeTask, type Fence, lockTask, renewLease } from './queries.ts';
import type { Task } from './task.ts';

/** Progress is written with a delay, so that a short attempt needs no extra write. */
const FIRST_REPORT_DELAY_MS = 200;
const REPORT_INTERVAL_MS = SECOND;

/** The wake-up key that tells a running attempt that its task was cancelled. */
export function taskKeyOf(taskId: number): string {
  return `task:${taskId}`;
}

interface LeasedAttemptParts {
  readonly task: Task;
  readonly database: Database;
  readonly clock: Clock;
  readonly leaseMs: number;
}

/**
 * One run of a task under a lease. The lease is renewed after every third of its duration and whenever
 * progress is written. Each renewal checks whether this attempt still holds the task. If not, the signal
 * aborts.
 */
export class LeasedAttempt implements Attempt {
  readonly taskId: number;
  readonly driveId: number;
  readonly accountId: number | null;
  readonly entryId: number | null;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly #parts: LeasedAttemptParts;
  readonly #loss = new AbortController();
  readonly #end = new AbortController();
  /** Runs a function outside the transaction that the job may have open when it reports progress. */
  readonly #runOutside = AsyncLocalStorage.snapshot();
  #progress: JsonObject = {};
  #hasUnwritten = false;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #leaseExpiresAt: number;
  #isCompleted = false;

  constructor(parts: LeasedAttemptParts) {
    this.#parts = parts;
    const { task } = parts;
    this.#leaseExpiresAt = task.run?.leaseExpiresAt ?? 0;
    this.taskId = task.id;
    this.driveId = task.driveId;
    this.accountId = task.accountId;
    this.entryId = task.entryId;
    this.input = task.input;
    this.signal = this.#loss.signal;
  }

  get fence(): Fence {
    return { taskId: this.taskId, attempt: this.#parts.task.attempt };
  }

  get progress(): JsonObject {
    return this.#progress;
  }

  /** Whether the job has called {@link complete}. Its transaction may still have failed. */
  get isCompleted(): boolean {
    return this.#isCompleted;
  }

  report(members: JsonObject): void {
    this.#progress = { ...this.#progress, ...members };
    this.#hasUnwritten = true;
    this.#writeAfter(FIRST_REPORT_DELAY_MS);
  }

  async lock(tx: Tx): Promise<void> {
    if (!(await lockTask(tx, this.fence))) throw lostTask();
  }

  async complete(tx: Tx, members: JsonObject = {}): Promise<void> {
    const progress = { ...this.#progress, ...members };
    if (!(await completeTask(tx, this.fence, progress, this.#parts.clock.now()))) throw lostTask();
    this.#isCompleted = true;
  }

  /** Renews the lease until {@link end} or {@link abort} is called. */
  async renewUntilEnd(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      // Waits until the next renewal is due or someone else changes the task.
      await this.#parts.database.wakeups.wait(taskKeyOf(this.taskId), signal, this.#parts.leaseMs / 3);
      if (!signal.aborted) await this.#renewLease();
    }
  }

  /** Aborts the signal of the job. From now on the lease is not renewed and no progress is written. */
  abort(): void {
    this.#end.abort();
    this.#loss.abort(lostTask());
  }

  /** Stops the renewal after the job has ended. Resolves once no write is running. */
  async end(): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#timer);
    await this.#renewing;
  }

  #writeAfter(delayMs: number): void {
    if (this.#end.signal.aborted || this.#renewing !== undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#runOutside(() => this.#renewLease());
    }, delayMs);
  }

  /**
   * Runs one renewal at a time. Never throws: if the database is unreachable, the job continues until the
   * lease expires.
   */
  #renewLease(): Promise<void> {
    this.#renewing ??= this.#renewLeaseOnce().finally(() => {
      this.#renewing = undefined;
      if (this.#hasUnwritten) this.#writeAfter(REPORT_INTERVAL_MS);
    });
    return this.#renewing;
  }

  async #renewLeaseOnce(): Promise<void> {
    this.#hasUnwritten = false;
    const now = this.#parts.clock.now();
    const change = { now, leaseExpiresAt: now + this.#parts.leaseMs, progress: this.#progress };
    try {
      const isHeld = await this.#parts.database.transact((tx) => renewLease(tx, this.fence, change));
      if (isHeld) this.#leaseExpiresAt = change.leaseExpiresAt;
      // If the job has completed the task meanwhile, nothing was lost.
      else if (!this.#isCompleted) this.abort();
    } catch {
      this.#hasUnwritten = true;
      if (this.#parts.clock.now() >= this.#leaseExpiresAt) this.abort();
    }
  }
}

function lostTask(): Failure {
  return new Failure(
    'rejected',
    'The attempt has lost its task: it was cancelled or is run by another worker.',
  );
}
