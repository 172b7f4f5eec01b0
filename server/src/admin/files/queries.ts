import { sql } from 'kysely';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';
import { findMatchingIds } from '../lists/matching-queries.ts';
import { driveIdsMatching } from '../lists/owner-queries.ts';
import { findTotals } from '../overview/queries.ts';

const SLICE_IDS = 20_000;

export interface FileFilter {
  /** Part of the file's name, folded. */
  readonly query: string | undefined;
  /** Part of the owner's username, e-mail address or phone number, or of a shared drive's name, folded. */
  readonly ownerQuery: string | undefined;
}

/** A page of ids of live files of all drives, newest first, and how many files match. */
export async function findFileIds(
  db: Db,
  { query, ownerQuery }: FileFilter,
  page: PageRequest,
): Promise<{ ids: readonly number[]; total: number }> {
  if (query === undefined && ownerQuery === undefined) return await findAllFileIds(db, page);
  const conditions = [sql`listed.is_directory = ${0}`, sql`listed.deleted_at is null`];
  if (query !== undefined) conditions.push(sql`${containsText('listed.folded_name', query)}`);
  if (ownerQuery !== undefined) conditions.push(sql`listed.drive_id in ${driveIdsMatching(ownerQuery)}`);
  return await findMatchingIds(db, { table: 'entry', conditions, sliceIds: SLICE_IDS }, page);
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
  return { ids: rows.map(({ id }) => id), total: (await findTotals(db)).files };
}

interface DriveOfEntry {
  readonly driveId: number;
  /** Null for a personal drive. */
  readonly driveName: string | null;
  /** Null for a shared drive. */
  readonly ownerId: number | null;
}

/** The drive of a live file or directory, and its owner; undefined for the root of a drive. */
export async function findDriveOf(db: Db, entryId: number): Promise<DriveOfEntry | undefined> {
  return db
    .selectFrom('entry')
    .innerJoin('drive', 'drive.id', 'entry.drive_id')
    .select(['drive.id as driveId', 'drive.name as driveName', 'drive.account_id as ownerId'])
    .where('entry.id', '=', entryId)
    .where('entry.deleted_at', 'is', null)
    .where('entry.parent_id', 'is not', null)
    .executeTakeFirst();
}
