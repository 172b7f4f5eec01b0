import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/database.ts';

/**
 * The rows to check: a page of at most `limit` rows after a key, in order of keys; or only the row with a
 * key.
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
