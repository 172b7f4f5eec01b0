import type { Instant } from '../../base/clock.ts';
import { defineStatusTable } from '../../base/domain/status-table.ts';
import type { FailureCategory, TaskStatus, TaskType } from '../../base/domain/tasks.ts';
import { Failure } from '../../base/failure.ts';
import type { JsonObject } from './job.ts';

/** A background task, as stored. */
export interface Task {
  readonly id: number;
  readonly driveId: number;
  /** On whose behalf the task runs; null for an automatic task in a shared drive. */
  readonly accountId: number | null;
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly entryId: number | null;
  readonly correlationId: string | null;
  /** Whether the service itself created the task for an upload. */
  readonly isAutomatic: boolean;
  /** The parameters given at creation. They never change. */
  readonly input: JsonObject;
  /** The progress that the current or last attempt has reported for the public state. */
  readonly progress: JsonObject;
  /** The fence: the number of the current attempt. Every attempt that ever began is counted. */
  readonly attempt: number;
  /** The number of attempts that count against {@link maxAttempts}. Attempts that were handed back do not. */
  readonly attemptCount: number;
  readonly maxAttempts: number;
  /** How many attempts failed for an unknown reason. */
  readonly unknownFailures: number;
  /** Defined only while the task is RUNNING. */
  readonly run: Run | undefined;
  /** The next attempt does not begin before this time. */
  readonly runAt: Instant;
  /** The delay of the scheduled retry; null if no retry is scheduled. */
  readonly retryDelayMs: number | null;
  readonly lastFailure: { readonly message: string; readonly at: Instant } | undefined;
  readonly errorMessage: string | null;
  readonly failureCategory: FailureCategory | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly finishedAt: Instant | null;
}

/** The current attempt of a RUNNING task and its lease. */
export interface Run {
  /** Identifies the instance that runs it. */
  readonly worker: string;
  readonly startedAt: Instant;
  readonly heartbeatAt: Instant;
  readonly leaseExpiresAt: Instant;
}

/** The statuses that may follow each status. Every status change follows this table. */
export const { statusesBefore } = defineStatusTable<TaskStatus>({
  // FAILED without a run if its account may no longer change the drive.
  QUEUED: ['RUNNING', 'FAILED', 'CANCELLED'],
  // Back to QUEUED for a retry after a failure, after the loss of the worker, or when the worker's instance
  // stops.
  RUNNING: ['QUEUED', 'COMPLETED', 'FAILED', 'CANCELLED'],
  FAILED: ['QUEUED'],
  COMPLETED: [],
  CANCELLED: [],
});

/** The maximum number of attempts by type. */
export const MAX_ATTEMPTS: Readonly<Record<TaskType, number>> = {
  ARCHIVE: 4,
  EXTRACT: 3,
  MEDIA_META: 2,
  STORAGE_POLICY_MIGRATION: 1,
};

/** Also thrown for a task of another drive, so that callers cannot find out which ids exist. */
export function noSuchTask(): Failure {
  return new Failure('not-found', 'There is no such task.');
}
