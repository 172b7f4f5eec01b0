import { sql } from 'kysely';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';
import { findNewestFirst } from '../lists/newest-first.ts';
import { findAccountTotals } from '../overview/queries.ts';
import { accountIdsMatching } from '../users/queries.ts';

/** Reading one slice takes SQLite about 10 ms. */
const SLICE_IDS = 20_000;

export interface FileFilter {
  /** Part of the file's name, folded. */
  readonly query: string | undefined;
  /** Part of the owner's username, e-mail address or phone number, folded. */
  readonly ownerQuery: string | undefined;
}

/** The ids of a page of the live files of all accounts, newest first, and how many files match. */
export async function findFileIds(
  db: Db,
  { query, ownerQuery }: FileFilter,
  page: PageRequest,
): Promise<{ ids: readonly number[]; total: number }> {
  if (query === undefined && ownerQuery === undefined) return await findAllFileIds(db, page);
  const nameFilter = query === undefined ? sql`` : sql`and ${containsText('entry.folded_name', query)}`;
  const ownerFilter =
    ownerQuery === undefined ? sql`` : sql`and entry.owner_id in ${accountIdsMatching(ownerQuery)}`;
  return await findNewestFirst(await findHighestId(db), SLICE_IDS, page, async ({ above, upTo }) => {
    const { rows } = await sql<{ id: number }>`
      select entry.id from entry
      where entry.id > ${above} and entry.id <= ${upTo}
        and entry.is_directory = ${0} and entry.deleted_at is null ${nameFilter} ${ownerFilter}
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

/** The owner of a live file or directory; undefined for the root of a drive. */
export async function findOwnerId(db: Db, entryId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('entry')
    .select('owner_id')
    .where('id', '=', entryId)
    .where('deleted_at', 'is', null)
    .where('parent_id', 'is not', null)
    .executeTakeFirst();
  return row?.owner_id;
}
