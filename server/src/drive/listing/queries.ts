import { type RawBuilder, sql } from 'kysely';
import { getOrCreate } from '../../base/get-or-create.ts';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import { CompiledOnce, type ParameterOf } from '../../database/compiled-once.ts';
import type { Db } from '../../database/database.ts';
import type { Entry } from '../entries/entry.ts';
import { type EntryOrder, toEntryOrder } from '../entries/entry-order-queries.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from '../entries/entry-queries.ts';
import { isAtPath, MAX_COMPILED_DEPTH, type PathValues } from '../entries/path-walk-queries.ts';
import type { NamePlace } from '../entries/place.ts';

/** One page of a directory's children. */
export async function findChildren(
  db: Db,
  directoryId: number,
  order: EntryOrder,
  page: PageRequest,
): Promise<readonly Entry[]> {
  const statement = getOrCreate(
    PAGES,
    toKey(order),
    () =>
      new CompiledOnce((compiler, value) =>
        toPage(sql`${value('directoryId')}`, order, value, sql``).compile(compiler),
      ),
  );
  const { rows } = await statement.run(db, { directoryId, ...toRange(page) });
  return rows.map(toEntry);
}

/** A page of a directory's children, and how many children the directory has. */
interface PageOfChildren {
  readonly children: readonly Entry[];
  readonly total: number;
}

/**
 * One page of the children of the directory at a path, found with one statement. Returns undefined for an
 * empty page: then the directory may not exist.
 * @param names at most {@link MAX_COMPILED_DEPTH}
 */
export async function findChildrenAt(
  db: Db,
  driveId: number,
  names: readonly FileName[],
  order: EntryOrder,
  page: PageRequest,
): Promise<PageOfChildren | undefined> {
  const { length } = names;
  const statement = getOrCreate(PAGES_AT, `${length} ${toKey(order)}`, () => toPageAt(length, order));
  const { rows } = await statement.run(db, { driveId, ...names, ...toRange(page) });
  const [first] = rows;
  return first && { children: rows.map(toEntry), total: first.total };
}

interface Range {
  readonly size: number;
  readonly offset: number;
}

interface RowAt extends EntryRow {
  /** How many children the directory has. */
  readonly total: number;
}

/** The compiled statements, by sort order. */
const PAGES = new Map<string, CompiledOnce<Range & { readonly directoryId: number }, EntryRow>>();
/** The compiled statements, by the number of names in the path and the sort order. */
const PAGES_AT = new Map<string, CompiledOnce<Range & PathValues, RowAt>>();

function toPageAt(length: number, order: EntryOrder): CompiledOnce<Range & PathValues, RowAt> {
  return new CompiledOnce((compiler, value) => {
    const children = toPage<RowAt>(
      sql`(select id from directory)`,
      order,
      value,
      sql`, (select child_count from directory) as total`,
    );
    return sql<RowAt>`
      with directory (id, child_count) as materialized (
        select id, child_count from entry where ${isAtPath(length, value)} and is_directory = 1
      )
      ${children}`.compile(compiler);
  });
}

/**
 * Selects a page of the children of a directory. Directories always precede files, also in descending order.
 * @param more additional columns to select
 */
function toPage<Row extends EntryRow>(
  directoryId: RawBuilder<unknown>,
  { sort, direction }: EntryOrder,
  value: ParameterOf<Range>,
  more: RawBuilder<unknown>,
): RawBuilder<Row> {
  const columns = sql`${sql.raw(ENTRY_COLUMNS.join(', '))}${more}`;
  const children = sql`from entry where parent_id = ${directoryId}`;
  const range = sql`limit ${value('size')} offset ${value('offset')}`;
  if (sort !== undefined || direction === 'asc') {
    return sql`select ${columns} ${children} order by ${toEntryOrder({ sort, direction })} ${range}`;
  }
  // A backward scan of the index would give the files first. So there are two scans, which SQLite merges.
  // PostgreSQL sorts their rows.
  const part = (isDirectory: 0 | 1) =>
    sql`select ${columns}, sort_name ${children} and is_directory = ${sql.lit(isDirectory)}`;
  return sql`${part(1)} union all ${part(0)}
    order by is_directory desc, sort_name desc, name desc, id desc ${range}`;
}

function toKey({ sort, direction }: EntryOrder): string {
  return `${sort ?? 'directories first'} ${direction}`;
}

function toRange(page: PageRequest): Range {
  return { size: page.size, offset: offsetOf(page) };
}

/** The most recently changed files, newest first. */
export async function findRecentFiles(
  db: Db,
  driveId: number,
  maxEntries: number,
): Promise<readonly Entry[]> {
  const rows = await db
    .selectFrom('entry')
    .select(ENTRY_COLUMNS)
    .where('drive_id', '=', driveId)
    .where('is_directory', '=', sql.lit(0))
    .where('deleted_at', 'is', null)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxEntries)
    .execute();
  return rows.map(toEntry);
}

/** The folder link through which a file was received. */
export interface LinkOrigin {
  readonly title: string;
  /** The name that the visitor gave. */
  readonly sender: string | null;
}

/** The origins of those files that came through a folder link, by file id. */
export async function findLinkOrigins(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LinkOrigin>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('entry_metadata as title')
    .leftJoin('entry_metadata as sender', (join) =>
      join.onRef('sender.entry_id', '=', 'title.entry_id').on('sender.name', '=', 'link:sender'),
    )
    .select(['title.entry_id as entryId', 'title.value as title', 'sender.value as sender'])
    .where('title.name', '=', 'link:title')
    .where('title.entry_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ entryId, ...origin }) => [entryId, origin]));
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

export interface ListedChild extends ListedEntry {
  readonly place: NamePlace;
}

const LISTED_COLUMNS = sql.raw(ENTRY_COLUMNS.join(', '));

/** The children of a directory that come after a place, by name. */
export async function findChildrenAfter(
  db: Db,
  directoryId: number,
  after: NamePlace,
  maxEntries: number,
): Promise<readonly ListedChild[]> {
  const { rows } = await sql<EntryRow & { sha256: string | null; sort_name: string }>`
    select ${LISTED_COLUMNS}, entry.sort_name, blob.sha256
    from entry left join blob on blob.id = entry.blob_id
    where entry.parent_id = ${directoryId} and (entry.sort_name, entry.name) > (${after.sortName}, ${after.name})
    order by entry.sort_name, entry.name limit ${maxEntries}`.execute(db);
  return rows.map((row) => ({
    entry: toEntry(row),
    sha256: row.sha256,
    place: { sortName: row.sort_name, name: row.name },
  }));
}
