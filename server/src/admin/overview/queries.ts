import { sql } from 'kysely';
import type { Db } from '../../database/database.ts';

interface Totals {
  readonly users: number;
  /** In all drives. */
  readonly files: number;
  /** Without deleted ones. */
  readonly sharedDrives: number;
}

/** Sums the file counts that drives keep, so that no files are read. */
export async function findTotals(db: Db): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select (select count(*) from account) as users, cast(coalesce(sum(file_count), 0) as bigint) as files,
      count(case when kind = 'SHARED' and deleted_at is null then 1 end) as "sharedDrives"
    from drive`.execute(db);
  return rows[0] ?? { users: 0, files: 0, sharedDrives: 0 };
}
