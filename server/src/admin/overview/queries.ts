import { sql } from 'kysely';
import type { Db } from '../../database/database.ts';

interface AccountTotals {
  readonly users: number;
  readonly files: number;
}

/** Sums the file counts that accounts keep, so that no files are read. */
export async function findAccountTotals(db: Db): Promise<AccountTotals> {
  const { rows } = await sql<AccountTotals>`
    select count(*) as users, cast(coalesce(sum(file_count), 0) as bigint) as files from account`.execute(db);
  return rows[0] ?? { users: 0, files: 0 };
}
