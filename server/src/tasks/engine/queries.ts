import { type SqlBool, sql, type UpdateObject } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { FailureCategory } from '../../base/domain/tasks.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Schema } from '../../database/tables/schema.ts';
import { hasStatus, NOT_RUNNING, toTask } from '../queries.ts';
import { LOST_WORKER_MESSAGE } from './failures.ts';
import type { JsonObject } from './job.ts';
import type { Task } from './task.ts';

/** Which attempt of which task: what it changes is changed only while it still has the task. */
export interface Fence {
  readonly taskId: number;
  readonly attempt: number;
}

/** Who runs a task, from now until the lease ends. */
export interface Claim {
  readonly worker: string;
  readonly now: Instant;
  readonly leaseExpiresAt: Instant;
}

/**
 * Takes the next task that is due; of many who ask at once each takes another. It is the oldest one of the owner who has
 * the fewest running, and among those of the one whose turn is longest ago; so nobody waits for all that somebody else
 * has queued before. It takes a few steps in indexes for each owner who waits, whatever they have queued.
 *
 * @returns undefined when none is due, or others were just taking those of the same owner
 */
export async function claimTask(tx: Tx, { worker, now, leaseExpiresAt }: Claim): Promise<Task | undefined> {
  const next = tx
    .selectFrom('task')
    .select('id')
    .where(hasStatus('QUEUED'))
    .where('owner_id', '=', nextOwner(now))
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

/** The owners who wait are found by steps in the index, from each to the next. */
function nextOwner(now: Instant) {
  return sql<number>`(
    with recursive waiting (owner_id) as (
      select min(owner_id) from task where status = 'QUEUED'
      union all
      select (select min(task.owner_id) from task where task.status = 'QUEUED' and task.owner_id > waiting.owner_id)
      from waiting where waiting.owner_id is not null
    )
    select owner_id from (
      select waiting.owner_id,
        (select min(task.run_at) from task
          where task.status = 'QUEUED' and task.owner_id = waiting.owner_id) as due_at,
        (select count(*) from task
          where task.status = 'RUNNING' and task.owner_id = waiting.owner_id) as running,
        (select coalesce(max(task.started_at), 0) from task
          where task.started_at is not null and task.owner_id = waiting.owner_id) as served_at
      from waiting where waiting.owner_id is not null
    ) as turn
    where due_at <= ${now} order by running, served_at, due_at, owner_id limit 1
  )`;
}

/** When the next task is due, or was; undefined when none waits. */
export async function findNextRunAt(db: Db): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('task')
    .select((select) => select.fn.min('run_at').as('runAt'))
    .where(hasStatus('QUEUED'))
    .executeTakeFirst();
  return row?.runAt ?? undefined;
}

/** The attempt lives on, and says how far it is. False when it has lost the task. */
export async function renewLease(
  tx: Tx,
  fence: Fence,
  change: { readonly now: Instant; readonly leaseExpiresAt: Instant; readonly progress: JsonObject },
): Promise<boolean> {
  return await changeHeld(tx, fence, {
    progress: JSON.stringify(change.progress),
    heartbeat_at: change.now,
    lease_expires_at: change.leaseExpiresAt,
    updated_at: change.now,
  });
}

/** Holds the task until the transaction ends. False when the attempt has lost it. */
export async function lockTask(tx: Tx, fence: Fence): Promise<boolean> {
  const row = await tx
    .selectFrom('task')
    .select('id')
    .where(hasLease(fence))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** False when the attempt has lost the task. */
export async function completeTask(
  tx: Tx,
  fence: Fence,
  progress: JsonObject,
  now: Instant,
): Promise<boolean> {
  return await changeHeld(tx, fence, {
    status: 'COMPLETED',
    ...NOT_RUNNING,
    progress: JSON.stringify(progress),
    failure_category: null,
    finished_at: now,
    updated_at: now,
  });
}

/** Queues the task to be tried again later. False when the attempt has lost it. */
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
  return await changeHeld(tx, fence, {
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

/** False when the attempt has lost the task. */
export async function failTask(
  tx: Tx,
  fence: Fence,
  failure: {
    readonly category: FailureCategory;
    readonly message: string;
    readonly progress: JsonObject;
    readonly now: Instant;
  },
): Promise<boolean> {
  return await changeHeld(tx, fence, {
    status: 'FAILED',
    ...NOT_RUNNING,
    progress: JSON.stringify(failure.progress),
    error_message: failure.message,
    failure_category: failure.category,
    finished_at: failure.now,
    updated_at: failure.now,
  });
}

/**
 * Puts what a worker runs back into the queue, as if it had not begun: all but what is just being ended by the job itself.
 * Gives how many that were.
 */
export async function handBack(tx: Tx, worker: string, now: Instant): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('task')
    .set({
      status: 'QUEUED',
      ...NOT_RUNNING,
      progress: '{}',
      attempt_count: sql`attempt_count - 1`,
      run_at: now,
      updated_at: now,
    })
    .where(hasStatus('RUNNING'))
    .where('id', 'in', runningNow(tx).where('worker', '=', worker))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** A worker may be lost for many reasons, of which a task is not often one: so many times it gets another. */
const LEAST_TRIES_WHEN_LOST = 3;

/**
 * Takes tasks from workers that have not prolonged their leases: back into the queue, or to their end when they have been
 * tried often enough. Gives how many that were.
 */
export async function takeBack(tx: Tx, now: Instant): Promise<number> {
  const lost = runningNow(tx).where('lease_expires_at', '<=', now);
  const least = LEAST_TRIES_WHEN_LOST;
  const most = sql`case when max_attempts < ${least} then ${least} else max_attempts end`;
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
    .where('id', 'in', lost.where(sql<SqlBool>`attempt_count >= ${most}`))
    .executeTakeFirst();
  const queued = await tx
    .updateTable('task')
    .set({ status: 'QUEUED', ...NOT_RUNNING, progress: '{}', run_at: now, updated_at: now })
    .where(hasStatus('RUNNING'))
    .where('id', 'in', lost.where(sql<SqlBool>`attempt_count < ${most}`))
    .executeTakeFirst();
  return Number(failed.numUpdatedRows + queued.numUpdatedRows);
}

/** Held for the update; a task that its job holds just now is left out, for its job lives. */
function runningNow(tx: Tx) {
  return tx.selectFrom('task').select('id').where(hasStatus('RUNNING')).forUpdate().skipLocked();
}

/** When the attempt that has run longest began. */
export async function findOldestStart(db: Db): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('task')
    .select((select) => select.fn.min('started_at').as('startedAt'))
    .where(hasStatus('RUNNING'))
    .executeTakeFirst();
  return row?.startedAt ?? undefined;
}

/** False when the attempt has lost the task, which then stays as it is. */
async function changeHeld(tx: Tx, fence: Fence, change: UpdateObject<Schema, 'task'>): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('task')
    .set(change)
    .where(hasLease(fence))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function hasLease({ taskId, attempt }: Fence) {
  return sql<SqlBool>`task.id = ${taskId} and task.attempt = ${attempt} and task.status = 'RUNNING'`;
}
