import { sql } from 'kysely';
import type { Db } from '../../database/database.ts';
import { toObjectLocation } from '../entries/entry-object-queries.ts';
import type { NamePlace } from '../entries/place.ts';
import type { ArchivedEntry } from './zip-entries.ts';

/** An entry that is read while walking a tree. */
export interface WalkedEntry extends ArchivedEntry {
  readonly id: number;
  readonly parentId: number;
  readonly name: string;
  readonly sortName: string;
  readonly childCount: number;
  /** Null for a directory. */
  readonly blobId: number | null;
}

interface WalkedRow {
  id: number;
  parent_id: number;
  name: string;
  sort_name: string;
  is_directory: number;
  child_count: number;
  blob_id: number | null;
  modified_at: number;
  size: number;
  policy_id: number | null;
  object_key: string | null;
  crc32: number | null;
}

const SELECT_WALKED = sql`
  select entry.id, entry.parent_id, entry.name, entry.sort_name, entry.is_directory, entry.child_count,
    entry.blob_id, entry.modified_at, entry.size,
    blob.policy_id, blob.object_key, blob.crc32
  from entry left join blob on blob.id = entry.blob_id`;

/**
 * The children of the directories, by directory and name.
 * @param page.after selects only entries after this place; for use with a single directory
 */
export async function findWalkedChildren(
  db: Db,
  directoryIds: readonly number[],
  page: { readonly after: NamePlace; readonly limit: number },
): Promise<readonly WalkedEntry[]> {
  const { rows } = await sql<WalkedRow>`
    ${SELECT_WALKED}
    where entry.parent_id in (${sql.join(directoryIds)})
      and (entry.sort_name, entry.name) > (${page.after.sortName}, ${page.after.name})
    order by entry.parent_id, entry.sort_name, entry.name
    limit ${page.limit}`.execute(db);
  return rows.map(toWalkedEntry);
}

/** The live entries of a drive with those ids, in any order. */
export async function findWalkedEntries(
  db: Db,
  driveId: number,
  ids: readonly number[],
): Promise<readonly WalkedEntry[]> {
  const { rows } = await sql<WalkedRow>`
    ${SELECT_WALKED}
    where entry.id in (${sql.join(ids)}) and entry.drive_id = ${driveId} and entry.deleted_at is null
      and entry.parent_id is not null`.execute(db);
  return rows.map(toWalkedEntry);
}

function toWalkedEntry(row: WalkedRow): WalkedEntry {
  return {
    id: row.id,
    parentId: row.parent_id,
    name: row.name,
    sortName: row.sort_name,
    isDirectory: row.is_directory === 1,
    childCount: row.child_count,
    blobId: row.blob_id,
    modifiedAt: row.modified_at,
    size: row.size,
    location: toObjectLocation(row),
    crc32: row.crc32,
  };
}
