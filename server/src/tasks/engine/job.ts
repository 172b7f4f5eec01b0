import type { FailureCategory, TaskType } from '../../base/domain/tasks.ts';
import type { JsonObject } from '../../base/text/json.ts';
import type { Tx } from '../../database/database.ts';

export type { FailureCategory, JsonObject, TaskType };

/**
 * What the tasks of one type do. It may be cut off anywhere and begun again, by another instance, perhaps while this one
 * does not know yet that it has lost the task; so whatever it commits it commits through its attempt.
 */
export interface Job {
  readonly type: TaskType;
  /** What the public state says while it runs. */
  readonly phase: 'archiving' | 'extracting' | 'extracting-metadata' | 'migrating';
  /**
   * Does all of it, and ends with {@link Attempt.complete}.
   * @throws JobFailure; a `Failure` by its kind; anything else is UNKNOWN
   */
  run(attempt: Attempt): Promise<void>;
}

/** One run of a task. */
export interface Attempt {
  readonly taskId: number;
  readonly ownerId: number;
  /** The file or directory that the task is about. */
  readonly entryId: number | null;
  /** What the task was made with, besides. */
  readonly input: JsonObject;
  /** Ends the work: the task was cancelled or taken over, or this instance stops. */
  readonly signal: AbortSignal;
  /** Puts members into the public state. Never waits; what follows quickly is written together. */
  report(members: JsonObject): void;
  /**
   * Holds the task in the caller's transaction, which commits only if this attempt still has it.
   * @throws Failure `rejected` when it has not
   */
  lock(tx: Tx): Promise<void>;
  /**
   * Ends the task in the caller's transaction: whatever becomes visible does so with the end, or not at all. After it the
   * job does nothing that could fail the task.
   *
   * @param members last ones for the public state
   * @throws Failure `rejected` when this attempt has lost it
   */
  complete(tx: Tx, members?: JsonObject): Promise<void>;
}

/** An end of an attempt whose reason the job knows better than its words say. */
export class JobFailure extends Error {
  readonly category: FailureCategory;

  /** @param message for the owner of the task */
  constructor(category: FailureCategory, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobFailure';
    this.category = category;
  }
}
