import { toTimestamp } from '../base/clock.ts';
import type { TaskRecord } from './contract.ts';
import type { Task } from './engine/task.ts';
import { toPublicState } from './public-state.ts';

/** A task as its owner sees it. */
export function toTaskRecord(task: Task): TaskRecord {
  return {
    id: task.id,
    userId: task.ownerId,
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
