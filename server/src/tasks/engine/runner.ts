import { doublingDelayMs } from '../../base/backoff.ts';
import { type Clock, MINUTE, SECOND } from '../../base/clock.ts';
import type { TaskType } from '../../base/domain/tasks.ts';
import type { Database } from '../../database/database.ts';
import { judge, retryDelayMs } from './failures.ts';
import { type Job, JobFailure } from './job.ts';
import { LeasedAttempt } from './leased-attempt.ts';
import { claimTask, failTask, findNextRunAt, handBack, scheduleRetry, takeBack } from './queries.ts';
import type { Task } from './task.ts';

/** Under this key, it is told that a task has come into the queue. */
export const QUEUE = 'tasks';

/** When what is due was just being taken by somebody else. */
const AGAIN_MS = 25;
const LONGEST_REST_MS = MINUTE;
const FIRST_PAUSE_MS = SECOND;
/** Jobs that do not listen are left to themselves at a stop; what they do then counts no more. */
const WAIT_AT_STOP_MS = 5 * SECOND;

/** Is told what went wrong in a run, or between runs. */
export type OnFault = (error: unknown, doing: string) => void;

/**
 * Runs tasks, so many at a time. It rests until a transaction tells of a new task, one is due, or a place becomes free;
 * every minute it looks for what other workers have left behind.
 */
export class Runner {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #worker: string;
  readonly #jobs: ReadonlyMap<TaskType, Job>;
  readonly #places: number;
  readonly #leaseMs: number;
  readonly #backoffScale: number;
  readonly #onFault: OnFault;
  readonly #running = new Map<LeasedAttempt, Promise<void>>();
  readonly #end = new AbortController();
  #working: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Asked to look at the queue (again). */
  #isAsked = false;
  #wake: (() => void) | undefined;

  constructor(parts: {
    database: Database;
    clock: Clock;
    /** Names this instance, uniquely. */
    worker: string;
    jobs: readonly Job[];
    /** How many run at the same time. */
    places: number;
    leaseMs: number;
    backoffScale: number;
    onFault: OnFault;
  }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#worker = parts.worker;
    this.#jobs = new Map(parts.jobs.map((job) => [job.type, job]));
    this.#places = parts.places;
    this.#leaseMs = parts.leaseMs;
    this.#backoffScale = parts.backoffScale;
    this.#onFault = parts.onFault;
  }

  start(): void {
    if (this.#places === 0) return;
    const everyMs = Math.min(MINUTE, this.#leaseMs);
    this.#timer = setInterval(() => void this.#try('take back tasks', () => this.recover()), everyMs);
    this.#working = Promise.all([
      this.#listen(),
      this.#try('take back tasks', () => this.recover()).then(() => this.#work()),
    ]);
  }

  /** Takes back what lost workers had, and looks for what is due. */
  async recover(): Promise<void> {
    await this.#database.transact(async (tx) => {
      if ((await takeBack(tx, this.#clock.now())) > 0) await this.#database.notifyOnCommit(tx, QUEUE);
    });
    this.#ring();
  }

  /** Ends what runs, and hands it back to the queue at once. */
  async stop(): Promise<void> {
    this.#end.abort();
    clearInterval(this.#timer);
    this.#ring();
    for (const attempt of this.#running.keys()) attempt.abort();
    await this.#working;
    if (this.#places === 0) return;
    // Also where none runs any more: what was aborted has ended without a word.
    await this.#try('hand back tasks', () => this.#handBack());
    let timer: NodeJS.Timeout | undefined;
    const longEnough = new Promise((resolve) => {
      timer = setTimeout(resolve, WAIT_AT_STOP_MS);
    });
    const wereRunning = this.#running.size > 0;
    await Promise.race([Promise.allSettled(this.#running.values()), longEnough]);
    clearTimeout(timer);
    // What its job was just about to end, and did not.
    if (wereRunning) await this.#try('hand back tasks', () => this.#handBack());
  }

  async #handBack(): Promise<void> {
    await this.#database.transact(async (tx) => {
      if ((await handBack(tx, this.#worker, this.#clock.now())) > 0)
        await this.#database.notifyOnCommit(tx, QUEUE);
    });
  }

  /** Hears of new tasks for as long as it runs. */
  async #listen(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      if (await this.#database.wakeups.wait(QUEUE, signal, LONGEST_REST_MS)) this.#ring();
    }
  }

  async #work(): Promise<void> {
    for (let failures = 0; !this.#end.signal.aborted; ) {
      this.#isAsked = false;
      try {
        const restMs = await this.#fill();
        failures = 0;
        await this.#rest(restMs);
      } catch (error) {
        this.#onFault(error, 'take the next task');
        this.#isAsked = false;
        await this.#rest(doublingDelayMs(failures, FIRST_PAUSE_MS, LONGEST_REST_MS));
        failures += 1;
      }
    }
  }

  /** Takes tasks while there are free places; gives how long there is nothing to do. */
  async #fill(): Promise<number> {
    while (this.#running.size < this.#places && !this.#end.signal.aborted) {
      const task = await this.#claim();
      if (task !== undefined) {
        this.#begin(task);
        continue;
      }
      const nextAt = await findNextRunAt(this.#database.db);
      if (nextAt === undefined) return LONGEST_REST_MS;
      return Math.min(Math.max(nextAt - this.#clock.now(), AGAIN_MS), LONGEST_REST_MS);
    }
    return LONGEST_REST_MS;
  }

  #claim(): Promise<Task | undefined> {
    const now = this.#clock.now();
    const claim = { worker: this.#worker, now, leaseExpiresAt: now + this.#leaseMs };
    return this.#database.transact((tx) => claimTask(tx, claim));
  }

  #begin(task: Task): void {
    const attempt = new LeasedAttempt({
      task,
      database: this.#database,
      clock: this.#clock,
      leaseMs: this.#leaseMs,
    });
    const running = this.#run(task, attempt).finally(() => {
      this.#running.delete(attempt);
      this.#ring();
    });
    this.#running.set(attempt, running);
  }

  /** Never fails. */
  async #run(task: Task, attempt: LeasedAttempt): Promise<void> {
    if (this.#end.signal.aborted) attempt.abort();
    const keeping = attempt.keep();
    let fault: unknown;
    try {
      await this.#do(task, attempt);
    } catch (error) {
      fault = error;
    }
    await attempt.end();
    await keeping;
    // What was stopped has been handed back; what was lost is not ours to end.
    if (fault === undefined || attempt.signal.aborted) return;
    await this.#try(`end the task ${task.id}`, () => this.#fail(task, attempt, fault));
  }

  async #do(task: Task, attempt: LeasedAttempt): Promise<void> {
    const job = this.#jobs.get(task.type);
    if (job === undefined)
      throw new JobFailure('UNSUPPORTED_INPUT', `This service does no ${task.type} tasks.`);
    attempt.report({ phase: job.phase });
    await job.run(attempt);
    if (!attempt.isCompleted) throw new Error(`The job ${task.type} has ended and not completed its task.`);
  }

  async #fail(task: Task, attempt: LeasedAttempt, fault: unknown): Promise<void> {
    const { category, message } = judge(fault);
    if (category === 'UNKNOWN' || category === 'TRANSIENT_INFRASTRUCTURE') {
      this.#onFault(fault, `run the ${task.type} task ${task.id}`);
    }
    const delayMs = retryDelayMs(task, category, this.#backoffScale);
    await this.#database.transact(async (tx) => {
      const now = this.#clock.now();
      const { fence, progress } = attempt;
      if (delayMs === undefined)
        return void (await failTask(tx, fence, { category, message, progress, now }));
      if (await scheduleRetry(tx, fence, { category, message, delayMs, now })) {
        await this.#database.notifyOnCommit(tx, QUEUE);
      }
    });
  }

  /** Waits until it is asked to look at the queue, at most so long. */
  async #rest(milliseconds: number): Promise<void> {
    if (this.#isAsked || this.#end.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, milliseconds);
    await promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }

  #ring(): void {
    this.#isAsked = true;
    this.#wake?.();
  }

  async #try(doing: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#onFault(error, doing);
    }
  }
}
