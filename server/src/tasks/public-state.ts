import { toTimestamp } from '../base/clock.ts';
import type { TaskStatus } from '../base/domain/tasks.ts';
import type { JsonObject } from './engine/job.ts';
import type { Task } from './engine/task.ts';

const PHASES: Readonly<Record<TaskStatus, string>> = {
  QUEUED: 'queued',
  RUNNING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/**
 * What the owner sees of a task's inside (specification, `publicStateJson`). It is made of the row whenever it is asked for
 * and kept nowhere, so nothing of a run can stay behind in it.
 */
export function toPublicState(task: Task): JsonObject {
  const { phase = PHASES.RUNNING, ...progress } = task.progress;
  return {
    ...task.input,
    ...progress,
    phase: task.status === 'RUNNING' ? phase : PHASES[task.status],
    attemptCount: task.attemptCount,
    maxAttempts: task.maxAttempts,
    ...runMembers(task),
    ...retryMembers(task),
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

/** While it waits to be tried again; what went wrong is told until it ends. */
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
