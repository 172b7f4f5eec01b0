import { sql } from 'kysely';
import type { Database } from '../../../src/database/database.ts';

/** Counts the statements that wait for a lock of another transaction. On PostgreSQL only. */
export async function countWaitingStatements({ db }: Pick<Database, 'db'>): Promise<number> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}
