import { doublingDelayMs } from '../../base/backoff.ts';
import { SECOND } from '../../base/clock.ts';
import type { FailureCategory, TaskType } from '../../base/domain/tasks.ts';
import { Failure, type FailureKind } from '../../base/failure.ts';
import { JobFailure } from './job.ts';
import type { Task } from './task.ts';

/** Why an attempt failed, for the owner. */
export interface Verdict {
  readonly category: FailureCategory;
  readonly message: string;
}

const UNKNOWN_MESSAGE = 'Something went wrong on our side.';

export const LOST_WORKER_MESSAGE = 'The worker stopped before the task was done.';

/** What is none of the caller's doing passes; what is, is as it is however often it is tried. */
const CATEGORIES: Readonly<Record<FailureKind, FailureCategory>> = {
  unavailable: 'TRANSIENT_INFRASTRUCTURE',
  'too-many': 'RATE_LIMITED',
  'over-limit': 'DATA_STATE',
  conflict: 'DATA_STATE',
  'not-found': 'DATA_STATE',
  rejected: 'DATA_STATE',
  invalid: 'DATA_STATE',
  expired: 'DATA_STATE',
  unauthenticated: 'DATA_STATE',
  forbidden: 'DATA_STATE',
};

/** What an error that ended an attempt means. The words of an unknown one are for the log only. */
export function judge(error: unknown): Verdict {
  if (error instanceof JobFailure) return { category: error.category, message: error.message };
  if (error instanceof Failure) return { category: CATEGORIES[error.kind], message: error.message };
  return { category: 'UNKNOWN', message: UNKNOWN_MESSAGE };
}

const BASE_MS: Readonly<Record<TaskType, number>> = {
  ARCHIVE: 30 * SECOND,
  EXTRACT: 45 * SECOND,
  MEDIA_META: 15 * SECOND,
  STORAGE_POLICY_MIGRATION: 30 * SECOND,
};

/** Those that are not here are never tried again. */
const TIMES: Partial<Readonly<Record<FailureCategory, number>>> = {
  TRANSIENT_INFRASTRUCTURE: 1,
  RATE_LIMITED: 4,
  UNKNOWN: 2,
};

const MOST_TIMES = 4;
const MOST_UNKNOWN_FAILURES = 1;

/**
 * How long to wait before a task is tried again (contract, section 7); undefined when it is not.
 * @param task as it was when the attempt that failed had begun
 */
export function retryDelayMs(
  task: Pick<Task, 'type' | 'attemptCount' | 'maxAttempts' | 'unknownFailures'>,
  category: FailureCategory,
  scale: number,
): number | undefined {
  const times = TIMES[category];
  if (times === undefined || task.attemptCount >= task.maxAttempts) return undefined;
  if (category === 'UNKNOWN' && task.unknownFailures >= MOST_UNKNOWN_FAILURES) return undefined;
  const baseMs = BASE_MS[task.type] * times;
  return Math.round(doublingDelayMs(task.attemptCount - 1, baseMs, baseMs * MOST_TIMES) * scale);
}
