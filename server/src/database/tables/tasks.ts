import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { FailureCategory, TaskStatus, TaskType } from '../../base/domain/tasks.ts';
import type { Flag } from '../flag.ts';

/** Work that runs in the background. */
export interface TaskTable {
  id: Generated<number>;
  /** The drive that the task works in. */
  drive_id: number;
  /**
   * On whose behalf the task runs; null for an automatic task in a shared drive. The account may be gone, if
   * the drive is a shared one.
   */
  account_id: number | null;
  type: TaskType;
  status: TaskStatus;
  /** The entry that the task works on. It may have been purged since. */
  entry_id: number | null;
  /** Unique per drive. */
  correlation_id: string | null;
  /** Whether the server created it for an upload. */
  is_automatic: Generated<Flag>;
  /** A JSON object: the parameters given at creation. Never changes. */
  input: string;
  /** A JSON object: the progress reported by the running or the last attempt. */
  progress: string;
  /**
   * The number of attempts ever started. It works as a fencing token: an attempt with another number must not
   * commit anything.
   */
  attempt: number;
  /** Attempts that count against `max_attempts`. */
  attempt_count: number;
  max_attempts: number;
  /** The counted attempts that failed for an unknown reason. */
  unknown_failures: number;
  /** When the running or the last attempt started. */
  started_at: Instant | null;
  /** The instance that runs the task. This and the next two are null unless the task is RUNNING. */
  worker: string | null;
  heartbeat_at: Instant | null;
  lease_expires_at: Instant | null;
  /** The task does not start before this time. */
  run_at: Instant;
  /** How long the task waits after a failed attempt; null when it does not wait. */
  retry_delay_ms: number | null;
  /** Why the previous attempt failed, when another one was scheduled. */
  last_failure_message: string | null;
  last_failure_at: Instant | null;
  error_message: string | null;
  failure_category: FailureCategory | null;
  created_at: Instant;
  updated_at: Instant;
  finished_at: Instant | null;
}
