import { sql } from 'kysely';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';
import { findNewestFirst } from '../lists/newest-first.ts';
import { findAccountTotals } from '../overview/queries.ts';
import { namedAccounts } from '../users/queries.ts';

/** About 10 ms of SQLite. */
const SLICE = 20_000;

export interface FileFilter {
  /** A part of the file's name, folded. */
  readonly query: string | undefined;
  /** A part of the owner's username, e-mail address or phone number, folded. */
  readonly ownerQuery: string | undefined;
}

/** Live files of all drives, the newest first. */
export async function findFileIds(
  db: Db,
  { query, ownerQuery }: FileFilter,
  page: PageRequest,
): Promise<{ ids: readonly number[]; total: number }> {
  if (query === undefined && ownerQuery === undefined) return await findAllFileIds(db, page);
  const isNamed = query === undefined ? sql`` : sql`and ${containsText('entry.folded_name', query)}`;
  const isOwned = ownerQuery === undefined ? sql`` : sql`and entry.owner_id in ${namedAccounts(ownerQuery)}`;
  return await findNewestFirst(await findHighestId(db), SLICE, page, async ({ above, upTo }) => {
    const { rows } = await sql<{ id: number }>`
      select entry.id from entry
      where entry.id > ${above} and entry.id <= ${upTo}
        and entry.is_directory = ${0} and entry.deleted_at is null ${isNamed} ${isOwned}
      order by entry.id desc`.execute(db);
    return rows.map(({ id }) => id);
  });
}

async function findAllFileIds(db: Db, page: PageRequest): Promise<{ ids: readonly number[]; total: number }> {
  const rows = await db
    .selectFrom('entry')
    .select('id')
    .where('is_directory', '=', 0)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  return { ids: rows.map(({ id }) => id), total: (await findAccountTotals(db)).files };
}

async function findHighestId(db: Db): Promise<number> {
  const row = await db.selectFrom('entry').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

/** Whose live file or directory it is; the root of a drive is none. */
export async function findOwnerOf(db: Db, entryId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('entry')
    .select('owner_id')
    .where('id', '=', entryId)
    .where('deleted_at', 'is', null)
    .where('parent_id', 'is not', null)
    .executeTakeFirst();
  return row?.owner_id;
}
