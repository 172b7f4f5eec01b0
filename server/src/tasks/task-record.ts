import { toTimestamp } from '../base/dates.ts';
import type { TaskStatus } from '../base/domain/tasks.ts';
import type { TaskRecord } from './contract.ts';
import type { JsonObject } from './engine/job.ts';
import type { Task } from './engine/task.ts';

const PHASES: Readonly<Record<TaskStatus, string>> = {
  QUEUED: 'queued',
  RUNNING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/** A task as the API shows it to its owner. */
export function toTaskRecord(task: Task): TaskRecord {
  return {
    id: task.id,
    userId: task.accountId,
    type: task.type,
    status: task.status,
    correlationId: task.correlationId,
    errorMessage: task.errorMessage,
    failureCategory: task.failureCategory,
    publicStateJson: toPublicState(task),
    createdAt: toTimestamp(task.createdAt),
    updatedAt: toTimestamp(task.updatedAt),
    finishedAt: task.finishedAt === null ? null : toTimestamp(task.finishedAt),
  };
}

/**
 * The `publicStateJson` of a task: input, progress, attempts, worker and retries. It is derived from the row
 * on every read and never stored, so it cannot contain outdated values of an earlier run.
 */
export function toPublicState(task: Task): JsonObject {
  const { phase = PHASES.RUNNING, ...progress } = task.progress;
  return {
    ...shortened(task.input),
    ...progress,
    phase: task.status === 'RUNNING' ? phase : PHASES[task.status],
    attemptCount: task.attemptCount,
    maxAttempts: task.maxAttempts,
    ...runMembers(task),
    ...retryMembers(task),
  };
}

/** The maximum number of ids that a task shows, so that a page of tasks stays small. */
const MAX_SHOWN_IDS = 100;

/** Replaces a long list of ids, and the paths in an archive, by their number. */
function shortened({ entries, ...input }: JsonObject): JsonObject {
  const { fileIds, ...rest } = input;
  const isLong = Array.isArray(fileIds) && fileIds.length > MAX_SHOWN_IDS;
  return {
    ...(isLong ? { ...rest, fileCount: fileIds.length } : input),
    ...(Array.isArray(entries) && { entryCount: entries.length }),
  };
}

function runMembers({ run }: Task): JsonObject {
  if (run === undefined) return {};
  return {
    workerOwner: run.worker,
    heartbeatAt: toTimestamp(run.heartbeatAt),
    leaseExpiresAt: toTimestamp(run.leaseExpiresAt),
    startedAt: toTimestamp(run.startedAt),
  };
}

/** The last failure of an unfinished task, and its next retry while it waits for one. */
function retryMembers({ status, runAt, retryDelayMs, lastFailure }: Task): JsonObject {
  if (lastFailure === undefined || (status !== 'QUEUED' && status !== 'RUNNING')) return {};
  return {
    ...(retryDelayMs === null
      ? {}
      : {
          retryScheduled: true,
          nextRetryAt: toTimestamp(runAt),
          retryDelaySeconds: Math.ceil(retryDelayMs / 1_000),
        }),
    lastFailureMessage: lastFailure.message,
    lastFailureAt: toTimestamp(lastFailure.at),
  };
}
