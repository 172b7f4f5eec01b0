import { doublingDelayMs } from '../../base/backoff.ts';
import { SECOND } from '../../base/clock.ts';
import type { FailureCategory, TaskType } from '../../base/domain/tasks.ts';
import { Failure, type FailureKind } from '../../base/failure.ts';
import { JobFailure } from './job.ts';
import type { Task } from './task.ts';

/** The failure of an attempt, as the task's owner sees it. */
interface AttemptFailure {
  readonly category: FailureCategory;
  readonly message: string;
}

const UNKNOWN_MESSAGE = 'Something went wrong on our side.';

export const LOST_WORKER_MESSAGE = 'The worker stopped before the task was completed.';

/** Maps each kind to a category. Only failures that the owner did not cause are worth a retry. */
const CATEGORIES: Readonly<Record<FailureKind, FailureCategory>> = {
  unavailable: 'TRANSIENT_INFRASTRUCTURE',
  'too-many': 'RATE_LIMITED',
  'over-limit': 'DATA_STATE',
  unsupported: 'UNSUPPORTED_INPUT',
  'too-slow': 'DATA_STATE',
  conflict: 'DATA_STATE',
  precondition: 'DATA_STATE',
  'not-found': 'DATA_STATE',
  rejected: 'DATA_STATE',
  invalid: 'DATA_STATE',
  expired: 'DATA_STATE',
  unauthenticated: 'DATA_STATE',
  forbidden: 'DATA_STATE',
};

/** Classifies the error that ended an attempt. The message of an unknown error goes to the log only. */
export function classifyError(error: unknown): AttemptFailure {
  if (error instanceof JobFailure) return { category: error.category, message: error.message };
  if (error instanceof Failure) return { category: CATEGORIES[error.kind], message: error.message };
  return { category: 'UNKNOWN', message: UNKNOWN_MESSAGE };
}

/** The delay before the first retry of a TRANSIENT_INFRASTRUCTURE failure. */
const BASE_DELAY_MS: Readonly<Record<TaskType, number>> = {
  ARCHIVE: 30 * SECOND,
  EXTRACT: 45 * SECOND,
  MEDIA_META: 15 * SECOND,
  STORAGE_POLICY_MIGRATION: 30 * SECOND,
};

/** The factors for the base delay. Other categories are never retried. */
const DELAY_FACTORS: Partial<Readonly<Record<FailureCategory, number>>> = {
  TRANSIENT_INFRASTRUCTURE: 1,
  RATE_LIMITED: 4,
  UNKNOWN: 2,
};

/** Delays double with every attempt, up to this multiple of the first delay. */
const MAX_DELAY_FACTOR = 4;
/** A second failure for an unknown reason is final. */
const MAX_UNKNOWN_FAILURES = 1;

/**
 * The delay before a failed task is retried; undefined if it is not retried.
 * @param task its state after the failed attempt had begun
 * @param scale multiplies the delay
 */
export function retryDelayMs(
  task: Pick<Task, 'type' | 'attemptCount' | 'maxAttempts' | 'unknownFailures'>,
  category: FailureCategory,
  scale: number,
): number | undefined {
  const factor = DELAY_FACTORS[category];
  if (factor === undefined || task.attemptCount >= task.maxAttempts) return undefined;
  if (category === 'UNKNOWN' && task.unknownFailures >= MAX_UNKNOWN_FAILURES) return undefined;
  const baseMs = BASE_DELAY_MS[task.type] * factor;
  return Math.round(doublingDelayMs(task.attemptCount - 1, baseMs, baseMs * MAX_DELAY_FACTOR) * scale);
}
