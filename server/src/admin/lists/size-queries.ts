import { sql } from 'kysely';
import type { Db } from '../../database/database.ts';

/** On SQLite, a list of more rows is filtered, counted and paged on a thread. */
const MAX_SHORT_LIST = 10_000;

/** Whether a table may have many rows, for `Database.readBySize`. */
export function isLargeTable(table: 'account' | 'audit' | 'drive' | 'task'): (db: Db) => Promise<boolean> {
  return async (db) => {
    const { rows } = await sql<{ id: number | null }>`select max(id) as id from ${sql.table(table)}`.execute(
      db,
    );
    return (rows[0]?.id ?? 0) > MAX_SHORT_LIST;
  };
}
