import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { FailureCategory, TaskStatus, TaskType } from '../../base/domain/tasks.ts';

/** Something to be done in the background. */
export interface TaskTable {
  id: Generated<number>;
  owner_id: number;
  type: TaskType;
  status: TaskStatus;
  /** What it is about. It may be purged meanwhile. */
  entry_id: number | null;
  /** Unique for its owner. */
  correlation_id: string | null;
  /** A JSON object: what it was made with, which stays as it is. */
  input: string;
  /** A JSON object: what the attempt that runs, or was the last, has said of itself. */
  progress: string;
  /** Counts all attempts that ever began. Whoever has another number than this may commit nothing. */
  attempt: number;
  /** Attempts that count against the budget. */
  attempt_count: number;
  max_attempts: number;
  /** Of them, those that failed for an unknown reason. */
  unknown_failures: number;
  /** When the attempt that runs, or was the last, began. */
  started_at: Instant | null;
  /** The instance that runs it, and the two below; all null unless it is RUNNING. */
  worker: string | null;
  heartbeat_at: Instant | null;
  lease_expires_at: Instant | null;
  /** It does not begin before. */
  run_at: Instant;
  /** How long it waits because the last attempt failed; null where it does not. */
  retry_delay_ms: number | null;
  /** Why the attempt before failed, where another one was scheduled. */
  last_failure_message: string | null;
  last_failure_at: Instant | null;
  error_message: string | null;
  failure_category: FailureCategory | null;
  created_at: Instant;
  updated_at: Instant;
  finished_at: Instant | null;
}
