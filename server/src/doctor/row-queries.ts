import type { Db } from '../database/database.ts';

/** The tables with numeric ids that row checks read page by page. */
export type NumberedTable = 'account' | 'entry' | 'blob';

/**
 * The last id and the number of rows of the page of at most `limit` rows after the id; undefined if it is
 * empty.
 */
export async function findPageAfter(
  db: Db,
  table: NumberedTable,
  after: number,
  limit: number,
): Promise<{ lastId: number; rows: number } | undefined> {
  const row = await db
    .selectFrom(
      db.selectFrom(table).select('id').where('id', '>', after).orderBy('id').limit(limit).as('page'),
    )
    .select((select) => [
      select.fn.max('page.id').as('lastId'),
      select.fn.count<number>('page.id').as('rows'),
    ])
    .executeTakeFirst();
  return row === undefined || row.lastId === null ? undefined : { lastId: row.lastId, rows: row.rows };
}
