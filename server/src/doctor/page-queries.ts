import type { Db } from '../database/database.ts';

/** Those with numbers for ids. */
export type NumberedTable = 'account' | 'entry' | 'blob';

/** Of the next so many rows behind the id, the last one's id and how many there are; undefined where there are none. */
export async function findEndOfPage(
  db: Db,
  table: NumberedTable,
  after: number,
  most: number,
): Promise<{ lastId: number; rows: number } | undefined> {
  const row = await db
    .selectFrom(
      db.selectFrom(table).select('id').where('id', '>', after).orderBy('id').limit(most).as('page'),
    )
    .select((select) => [
      select.fn.max('page.id').as('lastId'),
      select.fn.count<number>('page.id').as('rows'),
    ])
    .executeTakeFirst();
  return row === undefined || row.lastId === null ? undefined : { lastId: row.lastId, rows: row.rows };
}
