import { sql } from 'kysely';
import type { Db } from '../../database/database.ts';

interface AccountTotals {
  readonly users: number;
  readonly files: number;
}

/** Sums the file counts that drives keep, so that no files are read. */
export async function findAccountTotals(db: Db): Promise<AccountTotals> {
  const { rows } = await sql<AccountTotals>`
    select (select count(*) from account) as users, cast(coalesce(sum(file_count), 0) as bigint) as files
    from drive`.execute(db);
  return rows[0] ?? { users: 0, files: 0 };
}
