import { type SqlBool, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { FailureCategory, TaskStatus, TaskType } from '../../base/domain/tasks.ts';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import type { Db } from '../../database/database.ts';
import { driveIdsMatching } from '../lists/owner-queries.ts';
import type { LeaseState } from './contract.ts';

export interface TaskFilter {
  /** Part of the owner's username, e-mail address or phone number, or of a shared drive's name, folded. */
  readonly userQuery: string | undefined;
  readonly type: TaskType | undefined;
  readonly status: TaskStatus | undefined;
  readonly failureCategory: FailureCategory | undefined;
  readonly leaseState: LeaseState | undefined;
}

/** A page of ids of tasks of all drives, newest first, and how many tasks match. */
export async function findTaskIds(
  db: Db,
  filter: TaskFilter,
  page: PageRequest,
  now: Instant,
): Promise<{ ids: readonly number[]; total: number }> {
  const { total } = await filterTasks(db, filter, now)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await filterTasks(db, filter, now)
    .select('id')
    .orderBy('id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  return { ids: rows.map(({ id }) => id), total };
}

function filterTasks(
  db: Db,
  { userQuery, type, status, failureCategory, leaseState }: TaskFilter,
  now: Instant,
) {
  let query = db.selectFrom('task');
  if (userQuery !== undefined) query = query.where('drive_id', 'in', driveIdsMatching(userQuery));
  if (type !== undefined) query = query.where('type', '=', type);
  if (status !== undefined) query = query.where('status', '=', status);
  if (failureCategory !== undefined) query = query.where('failure_category', '=', failureCategory);
  if (leaseState !== undefined) query = query.where(hasLease(leaseState, now));
  return query;
}

/** The status is a literal, so that SQLite can use the partial index on running tasks. */
function hasLease(state: LeaseState, now: Instant) {
  // Exactly the RUNNING tasks have a lease.
  if (state === 'NONE') return sql<SqlBool>`task.status <> 'RUNNING'`;
  const expiry =
    state === 'EXPIRED' ? sql`task.lease_expires_at <= ${now}` : sql`task.lease_expires_at > ${now}`;
  return sql<SqlBool>`task.status = 'RUNNING' and ${expiry}`;
}
