import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';

/** The last run of a job. */
export interface JobRun {
  readonly name: string;
  readonly endedAt: Instant;
  readonly durationMs: number;
  /** The end of the last run that succeeded; null if none has. */
  readonly succeededAt: Instant | null;
  /** The number of runs that have failed so far. */
  readonly failures: number;
  /** Why the last run failed; null if it succeeded. */
  readonly error: string | null;
}

/** Replaces the record of the job's earlier run. */
export async function putJobRun(
  tx: Tx,
  run: { name: string; endedAt: Instant; durationMs: number; error: string | null },
): Promise<void> {
  const { name, endedAt, durationMs, error } = run;
  const succeededAt = error === null ? endedAt : null;
  const failures = error === null ? 0 : 1;
  await sql`insert into job_run (name, ended_at, duration_ms, succeeded_at, failures, error)
    values (${name}, ${endedAt}, ${durationMs}, ${succeededAt}, ${failures}, ${error})
    on conflict (name) do update set
      ended_at = excluded.ended_at,
      duration_ms = excluded.duration_ms,
      succeeded_at = coalesce(excluded.succeeded_at, job_run.succeeded_at),
      failures = job_run.failures + excluded.failures,
      error = excluded.error`.execute(tx);
}

/** The last runs of all jobs, by name. There are a few dozen jobs. */
export async function findJobRuns(db: Db): Promise<readonly JobRun[]> {
  const rows = await db.selectFrom('job_run').selectAll().orderBy('name').limit(200).execute();
  return rows.map(({ name, failures, error, ...row }) => ({
    name,
    endedAt: row.ended_at,
    durationMs: row.duration_ms,
    succeededAt: row.succeeded_at,
    failures,
    error,
  }));
}
