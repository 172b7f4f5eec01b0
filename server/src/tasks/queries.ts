import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { AccountInDrives } from '../base/domain/drives.ts';
import type { TaskStatus, TaskType } from '../base/domain/tasks.ts';
import { offsetOf, type PageRequest } from '../base/page.ts';
import type { Db, Tx } from '../database/database.ts';
import type { TaskTable } from '../database/tables/tasks.ts';
import { ownerOf } from '../drives/drives.ts';
import type { JsonObject } from './engine/job.ts';
import { MAX_ATTEMPTS, type Run, statusesBefore, type Task } from './engine/task.ts';

export interface NewTask {
  readonly driveId: number;
  /** On whose behalf; null for the owner of the drive, if it has one. */
  readonly accountId: number | null;
  readonly type: TaskType;
  readonly entryId: number | null;
  readonly correlationId: string | null;
  readonly input: JsonObject;
  /** Whether the service itself creates the task for an upload. Such tasks do not count. */
  readonly isAutomatic?: boolean;
}

/**
 * Returns undefined if the drive already has a task with this correlation id, or the file has an unfinished
 * MEDIA_META task.
 */
export async function insertTask(tx: Tx, task: NewTask, now: Instant): Promise<Task | undefined> {
  const row = await buildInsert(tx, [task], now).returningAll().executeTakeFirst();
  return row && toTask(row);
}

/** Inserts several tasks. Skips those for which {@link insertTask} would return undefined. */
export async function insertTasks(tx: Tx, tasks: readonly NewTask[], now: Instant): Promise<void> {
  await buildInsert(tx, tasks, now).execute();
}

function buildInsert(tx: Tx, tasks: readonly NewTask[], now: Instant) {
  const rows = tasks.map((task) => ({
    drive_id: task.driveId,
    account_id: task.accountId ?? ownerOf(sql.val(task.driveId)),
    type: task.type,
    status: 'QUEUED' as const,
    entry_id: task.entryId,
    correlation_id: task.correlationId,
    is_automatic: task.isAutomatic === true ? (1 as const) : (0 as const),
    input: JSON.stringify(task.input),
    progress: '{}',
    attempt: 0,
    attempt_count: 0,
    max_attempts: MAX_ATTEMPTS[task.type],
    unknown_failures: 0,
    run_at: now,
    created_at: now,
    updated_at: now,
  }));
  return tx
    .insertInto('task')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing());
}

/** Must be the same text as in the partial indexes of unfinished tasks, so that queries can use them. */
const IS_UNFINISHED = sql<SqlBool>`status in ('QUEUED', 'RUNNING')`;

/** The unfinished MEDIA_META task of a file. There is at most one. */
export async function findUnfinishedMediaTask(db: Db, entryId: number): Promise<Task | undefined> {
  const row = await db
    .selectFrom('task')
    .selectAll()
    .where('entry_id', '=', entryId)
    .where(sql<SqlBool>`type = 'MEDIA_META'`)
    .where(IS_UNFINISHED)
    .executeTakeFirst();
  return row && toTask(row);
}

/** Deletes the ended MEDIA_META tasks of a file, except those to which a client gave a correlation id. */
export async function deleteEndedMediaTasks(tx: Tx, entryId: number): Promise<void> {
  await tx
    .deleteFrom('task')
    .where('entry_id', '=', entryId)
    .where(sql<SqlBool>`type = 'MEDIA_META'`)
    .where('finished_at', 'is not', null)
    .where((where) => where.or([where('is_automatic', '=', 1), where('correlation_id', 'is', null)]))
    .execute();
}

/**
 * Puts the running MEDIA_META task of a file back into the queue, because it is reading replaced content. The
 * running attempt loses the task. Returns the task's id.
 */
export async function requeueRunningMediaTask(
  tx: Tx,
  entryId: number,
  now: Instant,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('task')
    .set(toRequeued(now))
    .where('entry_id', '=', entryId)
    .where(sql<SqlBool>`type = 'MEDIA_META'`)
    .where(sql<SqlBool>`status = 'RUNNING'`)
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Locks the account until the transaction ends, so that its tasks can be counted. */
export async function lockTasksOf(tx: Tx, accountId: number): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

/** Counts an account's unfinished tasks in all drives, without automatic ones. */
export async function countUnfinishedTasks(tx: Tx, accountId: number): Promise<number> {
  const row = await tx
    .selectFrom('task')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`is_automatic = 0`)
    .where(IS_UNFINISHED)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Finds a task of any drive. */
export async function findTask(db: Db, id: number): Promise<Task | undefined> {
  const row = await db.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toTask(row);
}

/** Finds tasks of any drives, in no particular order. */
export async function findTasksByIds(db: Db, ids: readonly number[]): Promise<readonly Task[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('task').selectAll().where('id', 'in', ids).execute();
  return rows.map(toTask);
}

export async function findOwnTask(db: Db, driveId: number, id: number): Promise<Task | undefined> {
  const task = await findTask(db, id);
  return task?.driveId === driveId ? task : undefined;
}

export async function findByCorrelationId(
  db: Db,
  driveId: number,
  correlationId: string,
): Promise<Task | undefined> {
  const row = await db
    .selectFrom('task')
    .selectAll()
    .where('drive_id', '=', driveId)
    .where('correlation_id', '=', correlationId)
    .where('correlation_id', 'is not', null)
    .executeTakeFirst();
  return row && toTask(row);
}

/** Lists a drive's tasks, newest first. */
export async function findTasks(db: Db, driveId: number, page: PageRequest): Promise<readonly Task[]> {
  const rows = await db
    .selectFrom('task')
    .selectAll()
    .where('drive_id', '=', driveId)
    .orderBy('id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  return rows.map(toTask);
}

export async function countTasks(db: Db, driveId: number): Promise<number> {
  const row = await db
    .selectFrom('task')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('drive_id', '=', driveId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Returns undefined if the task has ended, or the drive has no such task. */
export async function cancelTask(
  tx: Tx,
  driveId: number,
  id: number,
  now: Instant,
): Promise<Task | undefined> {
  const row = await tx
    .updateTable('task')
    .set(toCancelled(now))
    .where('id', '=', id)
    .where('drive_id', '=', driveId)
    .where('status', 'in', statusesBefore('CANCELLED'))
    .returningAll()
    .executeTakeFirst();
  return row && toTask(row);
}

/** Cancels at most `limit` of the drive's tasks, and returns their ids. */
export async function cancelTasksOf(
  tx: Tx,
  driveId: number,
  { now, limit }: { now: Instant; limit: number },
): Promise<readonly number[]> {
  const due = tx
    .selectFrom('task')
    .select('id')
    .where('drive_id', '=', driveId)
    .where('status', 'in', statusesBefore('CANCELLED'))
    .limit(limit);
  const rows = await tx
    .updateTable('task')
    .set(toCancelled(now))
    .where('id', 'in', due)
    .where('status', 'in', statusesBefore('CANCELLED'))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Fails at most `limit` unfinished tasks of an account in some drives, with the category DATA_STATE. Returns
 * them.
 */
export async function failTasksOf(
  tx: Tx,
  { accountId, driveIds }: AccountInDrives,
  { message, now, limit }: { readonly message: string; readonly now: Instant; readonly limit: number },
): Promise<readonly Task[]> {
  const due = tx
    .selectFrom('task')
    .select('id')
    .where('account_id', '=', accountId)
    .where('drive_id', 'in', driveIds)
    .where(IS_UNFINISHED)
    .limit(limit);
  const rows = await tx
    .updateTable('task')
    .set({
      status: 'FAILED',
      ...NOT_RUNNING,
      error_message: message,
      failure_category: 'DATA_STATE',
      finished_at: now,
      updated_at: now,
    })
    .where('id', 'in', due)
    .where('status', 'in', statusesBefore('FAILED'))
    .returningAll()
    .execute();
  return rows.map(toTask);
}

function toCancelled(now: Instant) {
  return {
    status: 'CANCELLED',
    ...NOT_RUNNING,
    failure_category: null,
    finished_at: now,
    updated_at: now,
  } as const;
}

/**
 * Queues a FAILED task as if it were a new one of the account. Returns undefined if it is not FAILED, or the
 * drive has no such task.
 */
export async function requeueTask(
  tx: Tx,
  { id, driveId, accountId }: Pick<Task, 'id' | 'driveId' | 'accountId'>,
  now: Instant,
): Promise<Task | undefined> {
  const row = await tx
    .updateTable('task')
    .set({
      status: 'QUEUED',
      account_id: accountId,
      progress: '{}',
      attempt_count: 0,
      unknown_failures: 0,
      run_at: now,
      last_failure_message: null,
      last_failure_at: null,
      error_message: null,
      failure_category: null,
      updated_at: now,
      finished_at: null,
    })
    .where('id', '=', id)
    .where('drive_id', '=', driveId)
    .where('status', '=', 'FAILED')
    .returningAll()
    .executeTakeFirst();
  return row && toTask(row);
}

/**
 * Given some ids, returns those whose tasks have ended or do not exist. Such a task runs again only if a user
 * retries it.
 */
export async function findEndedTasks(db: Db, ids: readonly number[]): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('task')
    .select('id')
    .where('id', 'in', ids)
    .where('status', 'in', ['QUEUED', 'RUNNING'])
    .execute();
  const live = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !live.has(id));
}

/** Deletes at most `limit` tasks, oldest first. Returns how many were deleted. */
export async function deleteTasksEndedBefore(tx: Tx, before: Instant, limit: number): Promise<number> {
  const due = tx
    .selectFrom('task')
    .select('id')
    .where('finished_at', '<', before)
    .where('finished_at', 'is not', null)
    .orderBy('finished_at')
    .limit(limit);
  const { numDeletedRows } = await tx
    .deleteFrom('task')
    .where('id', 'in', due)
    .where('finished_at', '<', before)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The columns of a task that neither runs nor waits for a retry. */
export const NOT_RUNNING = {
  worker: null,
  heartbeat_at: null,
  lease_expires_at: null,
  retry_delay_ms: null,
} as const;

/** The columns of a task that is put back into the queue as if its running attempt had not begun. */
export function toRequeued(now: Instant) {
  return {
    status: 'QUEUED',
    ...NOT_RUNNING,
    progress: '{}',
    attempt_count: sql<number>`attempt_count - 1`,
    run_at: now,
    updated_at: now,
  } as const;
}

/** Uses a literal for the status, so that SQLite can use the partial index for it. */
export function hasStatus(status: TaskStatus) {
  return sql<SqlBool>`task.status = ${sql.lit(status)}`;
}

export function toTask(row: Selectable<TaskTable>): Task {
  return {
    id: row.id,
    driveId: row.drive_id,
    accountId: row.account_id,
    type: row.type,
    status: row.status,
    entryId: row.entry_id,
    correlationId: row.correlation_id,
    isAutomatic: row.is_automatic === 1,
    input: toJson(row.input),
    progress: toJson(row.progress),
    attempt: row.attempt,
    attemptCount: row.attempt_count,
    maxAttempts: row.max_attempts,
    unknownFailures: row.unknown_failures,
    run: toRun(row),
    runAt: row.run_at,
    retryDelayMs: row.retry_delay_ms,
    lastFailure:
      row.last_failure_message === null || row.last_failure_at === null
        ? undefined
        : { message: row.last_failure_message, at: row.last_failure_at },
    errorMessage: row.error_message,
    failureCategory: row.failure_category,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}

function toRun(row: Selectable<TaskTable>): Run | undefined {
  const { worker, started_at: startedAt, heartbeat_at: heartbeatAt, lease_expires_at: leaseExpiresAt } = row;
  if (worker === null || startedAt === null || heartbeatAt === null || leaseExpiresAt === null)
    return undefined;
  return { worker, startedAt, heartbeatAt, leaseExpiresAt };
}

/** The cast is safe: both columns contain the output of `JSON.stringify` for such an object. */
function toJson(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}
