import { type RawBuilder, sql } from 'kysely';
import type { PageRequest } from '../../base/page.ts';
import type { Db } from '../../database/database.ts';
import { findNewestFirst } from './newest-first.ts';

/** The rows of a list. The table is called `listed` in the other members. */
interface Matches {
  readonly table: 'blob' | 'entry' | 'folder_link' | 'share';
  /** What the conditions need besides the table, as a part of the `from` clause. */
  readonly join?: RawBuilder<unknown>;
  readonly conditions: readonly RawBuilder<unknown>[];
  /** How many ids one query looks at. It should take SQLite about 10 ms. */
  readonly sliceIds: number;
}

/** A page of ids of rows that meet all conditions, newest first, and how many rows do. */
export async function findMatchingIds(
  db: Db,
  { table, join = sql``, conditions, sliceIds }: Matches,
  page: PageRequest,
): Promise<{ ids: readonly number[]; total: number }> {
  const last = await db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return findNewestFirst(last?.id ?? 0, sliceIds, page, async ({ above, upTo }) => {
    const { rows } = await sql<{ id: number }>`
      select listed.id from ${sql.table(table)} as listed ${join}
      where listed.id > ${above} and listed.id <= ${upTo} and ${sql.join(conditions, sql` and `)}
      order by listed.id desc`.execute(db);
    return rows.map(({ id }) => id);
  });
}
