import { sql } from 'kysely';
import type { PageRequest } from '../../base/page.ts';
import { offsetOf } from '../../base/page.ts';
import type { Db } from '../../database/database.ts';
import type { SortKey } from '../contract.ts';
import type { Entry } from '../entries/entry.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from '../entries/entry-queries.ts';

export interface Order {
  /** Undefined: directories first, then by name. */
  readonly sort: SortKey | undefined;
  readonly direction: 'asc' | 'desc';
}

const SORT_COLUMNS = {
  size: 'size',
  updatedAt: 'updated_at',
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
} as const;

/** One page of a directory's children. Every order is total, so each child is on exactly one page. */
export async function findChildren(
  db: Db,
  directoryId: number,
  { sort, direction }: Order,
  page: PageRequest,
): Promise<readonly Entry[]> {
  const pages =
    sort === undefined
      ? directoriesFirst(db, directoryId, direction)
      : sorted(db, directoryId, sort, direction);
  const rows = await pages.orderBy('id', direction).limit(page.size).offset(offsetOf(page)).execute();
  return rows.map(toEntry);
}

/**
 * Directories always precede files, also in descending order. So the descending order is a union of two
 * backward index scans, one for directories and one for files: a single backward scan would return the files
 * first. SQLite merges the two scans, PostgreSQL sorts their rows.
 */
function directoriesFirst(db: Db, directoryId: number, direction: Order['direction']) {
  const children = db
    .selectFrom('entry')
    .select([...ENTRY_COLUMNS, 'entry.folded_name'])
    .where('parent_id', '=', directoryId);
  const all =
    direction === 'asc'
      ? children
      : children
          .where('is_directory', '=', sql.lit(1))
          .unionAll(children.where('is_directory', '=', sql.lit(0)));
  return all.orderBy('is_directory', 'desc').orderBy('folded_name', direction).orderBy('name', direction);
}

function sorted(db: Db, directoryId: number, sort: SortKey, direction: Order['direction']) {
  const children = db
    .selectFrom('entry')
    .select([...ENTRY_COLUMNS, 'entry.folded_name'])
    .where('parent_id', '=', directoryId);
  return sort === 'name'
    ? children.orderBy('folded_name', direction).orderBy('name', direction)
    : children.orderBy(SORT_COLUMNS[sort], direction);
}

/** The most recently changed files, newest first. */
export async function findRecentFiles(
  db: Db,
  ownerId: number,
  maxEntries: number,
): Promise<readonly Entry[]> {
  const rows = await db
    .selectFrom('entry')
    .select(ENTRY_COLUMNS)
    .where('owner_id', '=', ownerId)
    .where('is_directory', '=', sql.lit(0))
    .where('deleted_at', 'is', null)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxEntries)
    .execute();
  return rows.map(toEntry);
}

/** The SHA-256 of a file (null for a directory, or until it is computed) and its metadata. */
export async function findDetails(
  db: Db,
  entry: Entry,
): Promise<{ sha256: string | null; metadata: Readonly<Record<string, string>> }> {
  const blob =
    entry.blobId === null
      ? undefined
      : await db.selectFrom('blob').select('sha256').where('id', '=', entry.blobId).executeTakeFirst();
  const rows = await db
    .selectFrom('entry_metadata')
    .select(['name', 'value'])
    .where('entry_id', '=', entry.id)
    .orderBy('name')
    .execute();
  return {
    sha256: blob?.sha256 ?? null,
    metadata: Object.fromEntries(rows.map((row) => [row.name, row.value])),
  };
}

/** A child of a directory, for lists that are sent whole. */
export interface ListedEntry {
  readonly entry: Entry;
  /** The SHA-256 of the content, in hexadecimal digits; null for a directory, and until it is computed. */
  readonly sha256: string | null;
}

const LISTED_COLUMNS = sql.raw(ENTRY_COLUMNS.join(', '));

/** The children of a directory whose names come after `name`, by name. */
export async function findChildrenAfter(
  db: Db,
  directoryId: number,
  name: string,
  maxEntries: number,
): Promise<readonly ListedEntry[]> {
  const { rows } = await sql<EntryRow & { sha256: string | null }>`
    select ${LISTED_COLUMNS}, blob.sha256
    from entry left join blob on blob.id = entry.blob_id
    where entry.parent_id = ${directoryId} and entry.name > ${name}
    order by entry.name limit ${maxEntries}`.execute(db);
  return rows.map((row) => ({ entry: toEntry(row), sha256: row.sha256 }));
}
