import type { Instant } from '../../base/clock.ts';
import { defineStatusTable } from '../../base/domain/status-table.ts';
import type { FailureCategory, TaskStatus, TaskType } from '../../base/domain/tasks.ts';
import { Failure } from '../../base/failure.ts';
import type { JsonObject } from './job.ts';

/** Something to be done in the background (specification, "Background task"), with all that the service knows of it. */
export interface Task {
  readonly id: number;
  readonly ownerId: number;
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly entryId: number | null;
  readonly correlationId: string | null;
  /** What it was made with. */
  readonly input: JsonObject;
  /** What the attempt that runs, or was the last, has said of itself. */
  readonly progress: JsonObject;
  /** The fence: counts every attempt that ever began. */
  readonly attempt: number;
  /** Attempts that count against {@link maxAttempts}. */
  readonly attemptCount: number;
  readonly maxAttempts: number;
  /** Of them, those that failed for an unknown reason. */
  readonly unknownFailures: number;
  /** Who runs it; undefined unless it is RUNNING. */
  readonly run: Run | undefined;
  /** It does not begin before. */
  readonly runAt: Instant;
  /** How long it waits because the attempt before has failed; null where it does not. */
  readonly retryDelayMs: number | null;
  readonly lastFailure: { readonly message: string; readonly at: Instant } | undefined;
  readonly errorMessage: string | null;
  readonly failureCategory: FailureCategory | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly finishedAt: Instant | null;
}

export interface Run {
  /** Names an instance. */
  readonly worker: string;
  readonly startedAt: Instant;
  readonly heartbeatAt: Instant;
  readonly leaseExpiresAt: Instant;
}

/** Which status may follow which. Every change of a status obeys this table. */
export const { statusesBefore } = defineStatusTable<TaskStatus>({
  QUEUED: ['RUNNING', 'CANCELLED'],
  // Back to QUEUED: to retry after a failure, after the worker was lost, or when the worker's instance stops.
  RUNNING: ['QUEUED', 'COMPLETED', 'FAILED', 'CANCELLED'],
  FAILED: ['QUEUED'],
  COMPLETED: [],
  CANCELLED: [],
});

/** How often a task may be tried (contract, section 7). */
export const MAX_ATTEMPTS: Readonly<Record<TaskType, number>> = {
  ARCHIVE: 4,
  EXTRACT: 3,
  MEDIA_META: 2,
  STORAGE_POLICY_MIGRATION: 1,
};

/** Also for somebody else's: nobody can tell which. */
export function noSuchTask(): Failure {
  return new Failure('not-found', 'There is no such task.');
}
