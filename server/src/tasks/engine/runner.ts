import { doublingDelayMs } from '../../base/backoff.ts';
import { type Clock, MINUTE, SECOND } from '../../base/clock.ts';
import type { TaskType } from '../../base/domain/tasks.ts';
import type { Database, Tx } from '../../database/database.ts';
import { classifyError, retryDelayMs } from './failures.ts';
import { type Job, JobFailure } from './job.ts';
import { LeasedAttempt } from './leased-attempt.ts';
import {
  claimTask,
  failTask,
  findNextRunAt,
  requeueLostTasks,
  requeueTasksOf,
  scheduleRetry,
} from './queries.ts';
import type { Task } from './task.ts';

/** The wake-up key that notifies runners of a queued task. */
export const QUEUE_KEY = 'tasks';

/** The delay before checking the queue again when another worker has just claimed the due task. */
const MIN_REST_MS = 25;
const MAX_REST_MS = MINUTE;
/** The first delay after an error while claiming tasks. It doubles up to the maximum rest. */
const FIRST_RETRY_DELAY_MS = SECOND;
/**
 * How long `stop()` waits for jobs that ignore their signal. They have lost their tasks, so they cannot
 * commit anything.
 */
const STOP_TIMEOUT_MS = 5 * SECOND;

/** Called with errors of jobs and of the runner itself; `doing` describes the failed operation. */
export type OnFault = (error: unknown, doing: string) => void;

interface RunnerParts {
  readonly database: Database;
  readonly clock: Clock;
  /** A unique id of this instance. */
  readonly worker: string;
  readonly jobs: readonly Job[];
  /** The maximum number of tasks that run at the same time; 0 runs none. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly backoffScale: number;
  /** Called in the transaction in which tasks fail for good. */
  readonly onFailed: (tx: Tx, tasks: readonly Task[]) => Promise<void>;
  readonly onFault: OnFault;
}

/**
 * Claims due tasks and runs them with limited concurrency. It sleeps until a task is queued, a task becomes
 * due, or a running task ends. At least every minute it requeues tasks whose worker was lost.
 */
export class Runner {
  readonly #parts: RunnerParts;
  readonly #jobs: ReadonlyMap<TaskType, Job>;
  readonly #running = new Map<LeasedAttempt, Promise<void>>();
  readonly #end = new AbortController();
  #working: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Whether the queue may have changed since the runner last read it. */
  #isWoken = false;
  #endRest: (() => void) | undefined;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#jobs = new Map(parts.jobs.map((job) => [job.type, job]));
  }

  start(): void {
    if (this.#parts.concurrency === 0) return;
    const everyMs = Math.min(MINUTE, this.#parts.leaseMs);
    this.#timer = setInterval(() => void this.#try('requeue lost tasks', () => this.recover()), everyMs);
    this.#working = Promise.all([
      this.#watchQueue(),
      this.#try('requeue lost tasks', () => this.recover()).then(() => this.#claimTasks()),
    ]);
  }

  /** Requeues the tasks of lost workers and starts tasks that are due. */
  async recover(): Promise<void> {
    await this.#parts.database.transact(async (tx) => {
      const { isQueued, failed } = await requeueLostTasks(tx, this.#parts.clock.now());
      if (isQueued) await this.#parts.database.notifyOnCommit(tx, QUEUE_KEY);
      await this.#parts.onFailed(tx, failed);
    });
    this.#wakeUp();
  }

  /**
   * Aborts the running tasks and puts them back into the queue, so that other instances can start them
   * immediately.
   */
  async stop(): Promise<void> {
    this.#end.abort();
    clearInterval(this.#timer);
    this.#wakeUp();
    for (const attempt of this.#running.keys()) attempt.abort();
    await this.#working;
    if (this.#parts.concurrency === 0) return;
    // Required even if no attempt is running any more: aborted attempts end without changing their task.
    await this.#try('requeue own tasks', () => this.#requeueOwnTasks());
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => {
      timer = setTimeout(resolve, STOP_TIMEOUT_MS);
    });
    const wereRunning = this.#running.size > 0;
    await Promise.race([Promise.allSettled(this.#running.values()), timeout]);
    clearTimeout(timer);
    // Requeues tasks that their job had locked during the first call but did not complete.
    if (wereRunning) await this.#try('requeue own tasks', () => this.#requeueOwnTasks());
  }

  async #requeueOwnTasks(): Promise<void> {
    await this.#parts.database.transact(async (tx) => {
      if ((await requeueTasksOf(tx, this.#parts.worker, this.#parts.clock.now())) > 0)
        await this.#parts.database.notifyOnCommit(tx, QUEUE_KEY);
    });
  }

  /** Wakes the runner whenever a task is queued. */
  async #watchQueue(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      if (await this.#parts.database.wakeups.wait(QUEUE_KEY, signal, MAX_REST_MS)) this.#wakeUp();
    }
  }

  async #claimTasks(): Promise<void> {
    for (let failures = 0; !this.#end.signal.aborted; ) {
      this.#isWoken = false;
      try {
        const restMs = await this.#startDueTasks();
        failures = 0;
        await this.#rest(restMs);
      } catch (error) {
        this.#parts.onFault(error, 'claim the next task');
        this.#isWoken = false;
        await this.#rest(doublingDelayMs(failures, FIRST_RETRY_DELAY_MS, MAX_REST_MS));
        failures += 1;
      }
    }
  }

  /** Starts due tasks up to the concurrency limit. Returns how long the runner can rest. */
  async #startDueTasks(): Promise<number> {
    while (this.#running.size < this.#parts.concurrency && !this.#end.signal.aborted) {
      const task = await this.#claim();
      if (task !== undefined) {
        this.#start(task);
        continue;
      }
      const nextAt = await findNextRunAt(this.#parts.database.db);
      if (nextAt === undefined) return MAX_REST_MS;
      return Math.min(Math.max(nextAt - this.#parts.clock.now(), MIN_REST_MS), MAX_REST_MS);
    }
    return MAX_REST_MS;
  }

  #claim(): Promise<Task | undefined> {
    const now = this.#parts.clock.now();
    const claim = { worker: this.#parts.worker, now, leaseExpiresAt: now + this.#parts.leaseMs };
    return this.#parts.database.transact((tx) => claimTask(tx, claim));
  }

  #start(task: Task): void {
    const attempt = new LeasedAttempt({
      task,
      database: this.#parts.database,
      clock: this.#parts.clock,
      leaseMs: this.#parts.leaseMs,
    });
    const running = this.#run(task, attempt).finally(() => {
      this.#running.delete(attempt);
      this.#wakeUp();
    });
    this.#running.set(attempt, running);
  }

  /** Never throws. */
  async #run(task: Task, attempt: LeasedAttempt): Promise<void> {
    if (this.#end.signal.aborted) attempt.abort();
    const renewal = attempt.renewUntilEnd();
    let error: unknown;
    try {
      await this.#runJob(task, attempt);
    } catch (thrown) {
      error = thrown;
    }
    await attempt.end();
    await renewal;
    // An aborted attempt no longer holds its task, which is requeued, cancelled or run by another worker.
    if (error === undefined || attempt.signal.aborted) return;
    await this.#try(`record the failure of task ${task.id}`, () => this.#fail(task, attempt, error));
  }

  async #runJob(task: Task, attempt: LeasedAttempt): Promise<void> {
    const job = this.#jobs.get(task.type);
    if (job === undefined)
      throw new JobFailure('UNSUPPORTED_INPUT', `This service does not run ${task.type} tasks.`);
    attempt.report({ phase: job.phase });
    await job.run(attempt);
    if (!attempt.isCompleted) throw new Error(`The job ${task.type} ended without completing its task.`);
  }

  async #fail(task: Task, attempt: LeasedAttempt, error: unknown): Promise<void> {
    const { category, message } = classifyError(error);
    if (category === 'UNKNOWN' || category === 'TRANSIENT_INFRASTRUCTURE') {
      this.#parts.onFault(error, `run the ${task.type} task ${task.id}`);
    }
    const delayMs = retryDelayMs(task, category, this.#parts.backoffScale);
    await this.#parts.database.transact(async (tx) => {
      const now = this.#parts.clock.now();
      const { fence, progress } = attempt;
      if (delayMs === undefined) {
        const failed = await failTask(tx, fence, { category, message, progress, now });
        if (failed !== undefined) await this.#parts.onFailed(tx, [failed]);
        return;
      }
      if (await scheduleRetry(tx, fence, { category, message, delayMs, now })) {
        await this.#parts.database.notifyOnCommit(tx, QUEUE_KEY);
      }
    });
  }

  /** Waits until the runner is woken or the time is over. */
  async #rest(timeoutMs: number): Promise<void> {
    if (this.#isWoken || this.#end.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endRest = resolve;
    const timer = setTimeout(resolve, timeoutMs);
    await promise;
    clearTimeout(timer);
    this.#endRest = undefined;
  }

  #wakeUp(): void {
    this.#isWoken = true;
    this.#endRest?.();
  }

  async #try(doing: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.onFault(error, doing);
    }
  }
}
