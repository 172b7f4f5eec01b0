import { type SqlBool, sql, type UpdateObject } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { FailureCategory } from '../../base/domain/tasks.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Schema } from '../../database/tables/schema.ts';
import { hasStatus, NOT_RUNNING, toRequeued, toTask } from '../queries.ts';
import { LOST_WORKER_MESSAGE } from './failures.ts';
import type { JsonObject } from './job.ts';
import type { Task } from './task.ts';

/** Identifies an attempt of a task. Queries with a fence change the task only while the attempt holds it. */
export interface Fence {
  readonly taskId: number;
  readonly attempt: number;
}

/** The worker that claims a task, and its lease. */
interface Claim {
  readonly worker: string;
  readonly now: Instant;
  readonly leaseExpiresAt: Instant;
}

/**
 * Claims the next due task. Concurrent claims get different tasks.
 *
 * Drives take turns. The drive with the fewest running tasks comes first; among equals, the one that was
 * served longest ago. Of that drive's tasks, the one that has been due longest is claimed. So one drive's
 * long queue does not delay the tasks of others. The cost is a few index lookups per waiting drive, no matter
 * how long the queues are.
 *
 * @returns undefined if no task is due, or if concurrent claims have locked the due tasks of the chosen drive
 */
export async function claimTask(tx: Tx, { worker, now, leaseExpiresAt }: Claim): Promise<Task | undefined> {
  const next = tx
    .selectFrom('task')
    .select('id')
    .where(hasStatus('QUEUED'))
    .where('drive_id', '=', nextDrive(now))
    .where('run_at', '<=', now)
    .orderBy('run_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked();
  const row = await tx
    .updateTable('task')
    .set({
      status: 'RUNNING',
      progress: '{}',
      attempt: sql`attempt + 1`,
      attempt_count: sql`attempt_count + 1`,
      worker,
      started_at: now,
      heartbeat_at: now,
      lease_expires_at: leaseExpiresAt,
      retry_delay_ms: null,
      updated_at: now,
    })
    .where('id', '=', next)
    .where(hasStatus('QUEUED'))
    .returningAll()
    .executeTakeFirst();
  return row && toTask(row);
}

/**
 * A subquery for the drive whose turn it is. The recursion steps through the index from one waiting drive to
 * the next.
 */
function nextDrive(now: Instant) {
  return sql<number>`(
    with recursive waiting (drive_id) as (
      select min(drive_id) from task where status = 'QUEUED'
      union all
      select (select min(task.drive_id) from task where task.status = 'QUEUED' and task.drive_id > waiting.drive_id)
      from waiting where waiting.drive_id is not null
    )
    select drive_id from (
      select waiting.drive_id,
        (select min(task.run_at) from task
          where task.status = 'QUEUED' and task.drive_id = waiting.drive_id) as due_at,
        (select count(*) from task
          where task.status = 'RUNNING' and task.drive_id = waiting.drive_id) as running,
        (select coalesce(max(task.started_at), 0) from task
          where task.started_at is not null and task.drive_id = waiting.drive_id) as served_at
      from waiting where waiting.drive_id is not null
    ) as turn
    where due_at <= ${now} order by running, served_at, due_at, drive_id limit 1
  )`;
}

/** When the earliest queued task is or was due; undefined if the queue is empty. */
export async function findNextRunAt(db: Db): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('task')
    .select((select) => select.fn.min('run_at').as('runAt'))
    .where(hasStatus('QUEUED'))
    .executeTakeFirst();
  return row?.runAt ?? undefined;
}

/** Renews the lease and writes the progress. Returns false if the attempt has lost the task. */
export async function renewLease(
  tx: Tx,
  fence: Fence,
  change: { readonly now: Instant; readonly leaseExpiresAt: Instant; readonly progress: JsonObject },
): Promise<boolean> {
  return await updateIfRunning(tx, fence, {
    progress: JSON.stringify(change.progress),
    heartbeat_at: change.now,
    lease_expires_at: change.leaseExpiresAt,
    updated_at: change.now,
  });
}

/** Locks the task until the transaction ends. Returns false if the attempt has lost it. */
export async function lockTask(tx: Tx, fence: Fence): Promise<boolean> {
  const row = await tx
    .selectFrom('task')
    .select('id')
    .where(isRunningAttempt(fence))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** False if the attempt has lost the task. */
export async function completeTask(
  tx: Tx,
  fence: Fence,
  progress: JsonObject,
  now: Instant,
): Promise<boolean> {
  return await updateIfRunning(tx, fence, {
    status: 'COMPLETED',
    ...NOT_RUNNING,
    progress: JSON.stringify(progress),
    failure_category: null,
    finished_at: now,
    updated_at: now,
  });
}

/** Queues the task for a retry after the delay. Returns false if the attempt has lost it. */
export async function scheduleRetry(
  tx: Tx,
  fence: Fence,
  retry: {
    readonly category: FailureCategory;
    readonly message: string;
    readonly delayMs: number;
    readonly now: Instant;
  },
): Promise<boolean> {
  const { category, message, delayMs, now } = retry;
  return await updateIfRunning(tx, fence, {
    status: 'QUEUED',
    ...NOT_RUNNING,
    progress: '{}',
    unknown_failures: sql`unknown_failures + ${category === 'UNKNOWN' ? 1 : 0}`,
    run_at: now + delayMs,
    retry_delay_ms: delayMs,
    last_failure_message: message,
    last_failure_at: now,
    failure_category: category,
    updated_at: now,
  });
}

/** Returns the failed task; undefined if the attempt has lost it. */
export async function failTask(
  tx: Tx,
  fence: Fence,
  failure: {
    readonly category: FailureCategory;
    readonly message: string;
    readonly progress: JsonObject;
    readonly now: Instant;
  },
): Promise<Task | undefined> {
  const row = await tx
    .updateTable('task')
    .set({
      status: 'FAILED',
      ...NOT_RUNNING,
      progress: JSON.stringify(failure.progress),
      error_message: failure.message,
      failure_category: failure.category,
      finished_at: failure.now,
      updated_at: failure.now,
    })
    .where(isRunningAttempt(fence))
    .returningAll()
    .executeTakeFirst();
  return row && toTask(row);
}

/**
 * Puts the running tasks of a worker back into the queue as if their attempts had not begun. Skips tasks that
 * their job has locked. Returns how many were requeued.
 */
export async function requeueTasksOf(tx: Tx, worker: string, now: Instant): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('task')
    .set(toRequeued(now))
    .where(hasStatus('RUNNING'))
    .where('id', 'in', unlockedRunningIds(tx).where('worker', '=', worker))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * A task is rarely to blame for the loss of its worker. So even a task with fewer allowed attempts gets this
 * many before a lost worker makes it fail.
 */
const MIN_ATTEMPTS_WHEN_LOST = 3;

/**
 * Requeues the tasks of workers whose leases have expired. Tasks with no attempts left become FAILED.
 * @returns whether tasks were requeued, and the failed ones
 */
export async function requeueLostTasks(
  tx: Tx,
  now: Instant,
): Promise<{ readonly isQueued: boolean; readonly failed: readonly Task[] }> {
  const lost = unlockedRunningIds(tx).where('lease_expires_at', '<=', now);
  const min = MIN_ATTEMPTS_WHEN_LOST;
  const limit = sql`case when max_attempts < ${min} then ${min} else max_attempts end`;
  const failed = await tx
    .updateTable('task')
    .set({
      status: 'FAILED',
      ...NOT_RUNNING,
      error_message: LOST_WORKER_MESSAGE,
      failure_category: 'TRANSIENT_INFRASTRUCTURE',
      finished_at: now,
      updated_at: now,
    })
    .where(hasStatus('RUNNING'))
    .where('id', 'in', lost.where(sql<SqlBool>`attempt_count >= ${limit}`))
    .returningAll()
    .execute();
  const queued = await tx
    .updateTable('task')
    .set({ status: 'QUEUED', ...NOT_RUNNING, progress: '{}', run_at: now, updated_at: now })
    .where(hasStatus('RUNNING'))
    .where('id', 'in', lost.where(sql<SqlBool>`attempt_count < ${limit}`))
    .executeTakeFirst();
  return { isQueued: queued.numUpdatedRows > 0n, failed: failed.map(toTask) };
}

/**
 * A locking subquery for RUNNING tasks. It skips tasks that their job has locked, because such a job is
 * alive.
 */
function unlockedRunningIds(tx: Tx) {
  return tx.selectFrom('task').select('id').where(hasStatus('RUNNING')).forUpdate().skipLocked();
}

/** When the oldest running attempt began. */
export async function findOldestStart(db: Db): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('task')
    .select((select) => select.fn.min('started_at').as('startedAt'))
    .where(hasStatus('RUNNING'))
    .executeTakeFirst();
  return row?.startedAt ?? undefined;
}

/** Changes the task if the attempt holds it. Otherwise changes nothing and returns false. */
async function updateIfRunning(tx: Tx, fence: Fence, change: UpdateObject<Schema, 'task'>): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('task')
    .set(change)
    .where(isRunningAttempt(fence))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function isRunningAttempt({ taskId, attempt }: Fence) {
  return sql<SqlBool>`task.id = ${taskId} and task.attempt = ${attempt} and task.status = 'RUNNING'`;
}
