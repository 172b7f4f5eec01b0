import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/database.ts';

/**
 * The rows to check: either a page of at most `limit` rows after a key, in key order, or only the row with
 * one key.
 */
export type KeyPage = { readonly after: string; readonly limit: number } | { readonly only: string };

export function isOn(page: KeyPage, key: RawBuilder<unknown>) {
  return 'only' in page ? sql`${key} = ${page.only}` : sql`${key} > ${page.after}`;
}

export function limitOf(page: KeyPage) {
  return sql`limit ${'only' in page ? 1 : page.limit}`;
}

/** @param query selects exactly one column, named `key` */
export async function readKeys(db: Db, query: RawBuilder<unknown>): Promise<readonly string[]> {
  const { rows } = await query.execute(db);
  return (rows as { key: string }[]).map(({ key }) => key);
}

/** The tables with numeric ids that row checks read page by page. */
export type NumberedTable = 'drive' | 'entry' | 'blob';

/**
 * Finds the page of at most `limit` rows after an id. Returns its last id and number of rows; undefined if it
 * is empty.
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
