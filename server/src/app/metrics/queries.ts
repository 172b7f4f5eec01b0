import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db } from '../../database/database.ts';

/** Counting stops at this number, so that collecting the metrics stays cheap. */
const MAX_COUNTED_TASKS = 10_000;

interface TaskFigures {
  readonly queued: number;
  readonly running: number;
  /** Tasks that have failed since the given moment, among those that ended last. */
  readonly failed: number;
  /** When the task that waits longest could have started. */
  readonly queuedSince: Instant | null;
  readonly runningSince: Instant | null;
}

/**
 * Reads at most `MAX_COUNTED_TASKS` entries of each of its partial indexes, and as many rows of ended tasks.
 */
export async function findTaskFigures(db: Db, failedAfter: Instant): Promise<TaskFigures> {
  const { rows } = await sql<TaskFigures>`select
    (select count(*) from (select 1 from task where status = 'QUEUED' limit ${MAX_COUNTED_TASKS}) as q) as queued,
    (select count(*) from (select 1 from task where status = 'RUNNING' limit ${MAX_COUNTED_TASKS}) as r) as running,
    (select count(*) from (
      select status from task where finished_at > ${failedAfter}
      order by finished_at desc limit ${MAX_COUNTED_TASKS}
    ) as f where status = 'FAILED') as failed,
    (select min(run_at) from task where status = 'QUEUED') as "queuedSince",
    (select min(started_at) from task where status = 'RUNNING') as "runningSince"`.execute(db);
  return rows[0] ?? { queued: 0, running: 0, failed: 0, queuedSince: null, runningSince: null };
}

interface DriveFigures {
  readonly accounts: number;
  /** Without deleted ones. */
  readonly sharedDrives: number;
  /** Of all drives. */
  readonly usedBytes: number;
  readonly quotaBytes: number;
}

/**
 * Reads one row per account and per drive. Sums as floating point, because the quotas of thousands of drives
 * may exceed a database's integers.
 */
export async function findDriveFigures(db: Db): Promise<DriveFigures> {
  const { rows } = await sql<DriveFigures>`select (select count(*) from account) as accounts,
    count(case when kind = 'SHARED' and deleted_at is null then 1 end) as "sharedDrives",
    coalesce(sum(cast(used_bytes as double precision)), 0) as "usedBytes",
    coalesce(sum(cast(quota_bytes as double precision)), 0) as "quotaBytes" from drive`.execute(db);
  return rows[0] ?? { accounts: 0, sharedDrives: 0, usedBytes: 0, quotaBytes: 0 };
}
