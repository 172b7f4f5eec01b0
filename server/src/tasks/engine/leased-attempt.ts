import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Attempt, JsonObject } from './job.ts';
import { completeTask, type Fence, lockTask, renewLease } from './queries.ts';
import type { Task } from './task.ts';

/** The first words of an attempt come soon, so that a short one writes none. */
const FIRST_WORD_MS = 200;
const BETWEEN_WORDS_MS = SECOND;

/** Under this key, changes that whoever runs the task has to hear of are told. */
export function changesOf(taskId: number): string {
  return `task:${taskId}`;
}

/**
 * One run of a task, and the lease under which it runs. The lease is prolonged every third of it, and whenever there is
 * something to say; each time it is seen whether the task is still ours.
 */
export class LeasedAttempt implements Attempt {
  readonly taskId: number;
  readonly ownerId: number;
  readonly entryId: number | null;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly #task: Task;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #loss = new AbortController();
  readonly #end = new AbortController();
  /** A job may speak inside a transaction; what writes that down is not part of it. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #progress: JsonObject = {};
  #hasWords = false;
  #timer: NodeJS.Timeout | undefined;
  #prolonging: Promise<void> | undefined;
  #heldUntil: number;
  #isCompleted = false;

  constructor(parts: { task: Task; database: Database; clock: Clock; leaseMs: number }) {
    const { task } = parts;
    this.#task = task;
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#leaseMs = parts.leaseMs;
    this.#heldUntil = task.run?.leaseExpiresAt ?? 0;
    this.taskId = task.id;
    this.ownerId = task.ownerId;
    this.entryId = task.entryId;
    this.input = task.input;
    this.signal = this.#loss.signal;
  }

  get fence(): Fence {
    return { taskId: this.taskId, attempt: this.#task.attempt };
  }

  get progress(): JsonObject {
    return this.#progress;
  }

  /** Whether the job has ended it; the transaction in which it did may have failed. */
  get isCompleted(): boolean {
    return this.#isCompleted;
  }

  report(members: JsonObject): void {
    this.#progress = { ...this.#progress, ...members };
    this.#hasWords = true;
    this.#speakAfter(FIRST_WORD_MS);
  }

  async lock(tx: Tx): Promise<void> {
    if (!(await lockTask(tx, this.fence))) throw lost();
  }

  async complete(tx: Tx, members: JsonObject = {}): Promise<void> {
    const progress = { ...this.#progress, ...members };
    if (!(await completeTask(tx, this.fence, progress, this.#clock.now()))) throw lost();
    this.#isCompleted = true;
  }

  /** Keeps the lease until the work has ended, or is told to. */
  async keep(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      // It is either time, or somebody says that something has become of the task.
      await this.#database.wakeups.wait(changesOf(this.taskId), signal, this.#leaseMs / 3);
      if (!signal.aborted) await this.#renewLease();
    }
  }

  /** Tells the job to end. From now on nothing is prolonged or written down: the task is not ours any more. */
  abort(): void {
    this.#end.abort();
    this.#loss.abort(lost());
  }

  /** The work has ended. Resolves when nothing more is written. */
  async end(): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#timer);
    await this.#prolonging;
  }

  #speakAfter(delayMs: number): void {
    if (this.#end.signal.aborted || this.#prolonging !== undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#outside(() => this.#renewLease());
    }, delayMs);
  }

  /** One at a time. Never fails: a database that is out of reach does not end the work before the lease does. */
  #renewLease(): Promise<void> {
    this.#prolonging ??= this.#prolongOnce().finally(() => {
      this.#prolonging = undefined;
      if (this.#hasWords) this.#speakAfter(BETWEEN_WORDS_MS);
    });
    return this.#prolonging;
  }

  async #prolongOnce(): Promise<void> {
    this.#hasWords = false;
    const now = this.#clock.now();
    const change = { now, leaseExpiresAt: now + this.#leaseMs, progress: this.#progress };
    try {
      const isOurs = await this.#database.transact((tx) => renewLease(tx, this.fence, change));
      if (isOurs) this.#heldUntil = change.leaseExpiresAt;
      // The job itself may have ended it while this was on its way.
      else if (!this.#isCompleted) this.abort();
    } catch {
      this.#hasWords = true;
      if (this.#clock.now() >= this.#heldUntil) this.abort();
    }
  }
}

function lost(): Failure {
  return new Failure('rejected', 'This task is somebody else’s by now, or was ended.');
}
