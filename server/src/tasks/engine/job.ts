import type { FailureCategory, TaskType } from '../../base/domain/tasks.ts';
import type { JsonObject } from '../../base/text/json.ts';
import type { Tx } from '../../database/database.ts';

export type { FailureCategory, JsonObject, TaskType };

/**
 * Does the work of all tasks of one type. It may be interrupted anywhere, and another instance may start it
 * again, even before this instance notices that it has lost the task. Therefore every transaction of a job
 * must call {@link Attempt.lock} or {@link Attempt.complete}.
 */
export interface Job {
  readonly type: TaskType;
  /** The phase that the public state shows while the job runs. */
  readonly phase: 'archiving' | 'extracting' | 'extracting-metadata' | 'migrating';
  /**
   * Does all of the work, and calls {@link Attempt.complete} at the end.
   * @throws JobFailure with its category; a `Failure` is classified by its kind; any other error counts as
   *   UNKNOWN
   */
  run(attempt: Attempt): Promise<void>;
}

/** One run of a task, as its job sees it. */
export interface Attempt {
  readonly taskId: number;
  readonly driveId: number;
  readonly accountId: number | null;
  /** The file or directory of the task. */
  readonly entryId: number | null;
  /** The parameters given at creation. */
  readonly input: JsonObject;
  /** Aborts when the task is cancelled or taken over by another instance, or when this instance stops. */
  readonly signal: AbortSignal;
  /**
   * Adds members to the public state. Returns immediately; calls in quick succession are written together.
   */
  report(members: JsonObject): void;
  /**
   * Locks the task in the caller's transaction, so that it commits only while this attempt holds the task.
   * @throws Failure `rejected` if this attempt has lost the task
   */
  lock(tx: Tx): Promise<void>;
  /**
   * Completes the task in the caller's transaction, so that results become visible together with the
   * completion or not at all. After that, the job must do nothing that could fail.
   *
   * @param members the last members for the public state
   * @throws Failure `rejected` if this attempt has lost the task
   */
  complete(tx: Tx, members?: JsonObject): Promise<void>;
}

/** The failure of an attempt with a category that the job chooses. */
export class JobFailure extends Error {
  readonly category: FailureCategory;

  /** @param message shown to the owner of the task */
  constructor(category: FailureCategory, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobFailure';
    this.category = category;
  }
}
