import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
import { type NameColumns, toNameColumns } from '../../database/name-columns.ts';
import type { EntryTable } from '../../database/tables/drive.ts';
import { toTypeColumns } from '../../database/type-columns.ts';
import type { Entry } from './entry.ts';

export const ENTRY_COLUMNS = [
  'entry.id',
  'entry.drive_id',
  'entry.parent_id',
  'entry.name',
  'entry.is_directory',
  'entry.blob_id',
  'entry.size',
  'entry.content_type',
  'entry.child_count',
  'entry.created_at',
  'entry.updated_at',
  'entry.modified_at',
  'entry.is_starred',
  'entry.changed_by',
] as const;

export interface EntryRow {
  id: number;
  drive_id: number;
  parent_id: number | null;
  name: string;
  is_directory: Flag;
  blob_id: number | null;
  size: number;
  content_type: string | null;
  child_count: number;
  created_at: Instant;
  updated_at: Instant;
  modified_at: Instant;
  is_starred: Flag;
  changed_by: number | null;
}

export function toEntry(row: EntryRow): Entry {
  return {
    id: row.id,
    driveId: row.drive_id,
    parentId: row.parent_id,
    name: row.name,
    isDirectory: row.is_directory === 1,
    blobId: row.blob_id,
    size: row.size,
    contentType: row.content_type,
    childCount: row.child_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    modifiedAt: row.modified_at,
    isStarred: row.is_starred === 1,
    changedBy: row.changed_by,
  };
}

/** An entry that is not in the recycle bin. The root of the drive is never found. */
export async function findLiveEntry(db: Db, driveId: number, id: number): Promise<Entry | undefined> {
  const row = await db
    .selectFrom('entry')
    .select(ENTRY_COLUMNS)
    .where('id', '=', id)
    .where('drive_id', '=', driveId)
    .where('deleted_at', 'is', null)
    .where('parent_id', 'is not', null)
    .executeTakeFirst();
  return row && toEntry(row);
}

/** The entries with those ids, of any drive, without those in a recycle bin. */
export async function findLiveEntries(db: Db, ids: readonly number[]): Promise<readonly Entry[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('entry')
    .select(ENTRY_COLUMNS)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(toEntry);
}

export async function findChild(db: Db, parentId: number, name: string): Promise<Entry | undefined> {
  const row = await db
    .selectFrom('entry')
    .select(ENTRY_COLUMNS)
    .where('parent_id', '=', parentId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row && toEntry(row);
}

const NAMES_PER_STATEMENT = 500;

/** Selects the names that are taken in a directory. */
export async function findTakenNames(
  db: Db,
  directoryId: number,
  names: readonly FileName[],
): Promise<readonly FileName[]> {
  const taken: FileName[] = [];
  for (let at = 0; at < names.length; at += NAMES_PER_STATEMENT) {
    const found = await db
      .selectFrom('entry')
      .select('name')
      .where('parent_id', '=', directoryId)
      .where('name', 'in', names.slice(at, at + NAMES_PER_STATEMENT))
      .execute();
    taken.push(...found.map(({ name }) => name as FileName));
  }
  return taken;
}

/** The highest id of all entries; 0 if there are none. */
export async function findHighestEntryId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from entry`.execute(db);
  return rows[0]?.id ?? 0;
}

/** An entry on the way to the root of its drive. */
export interface Ancestor {
  readonly id: number;
  readonly parentId: number | null;
  readonly name: string;
  readonly isInBin: boolean;
}

/** The entries with those ids and all directories above them, each once, in one statement. */
export async function findWithAncestors(db: Db, ids: readonly number[]): Promise<readonly Ancestor[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Pick<EntryTable, 'parent_id' | 'name'> & { id: number; is_in_bin: number }>`
    with recursive up (id, parent_id) as (
      select id, parent_id from entry where id in (${sql.join(ids)})
      union
      select entry.id, entry.parent_id from up join entry on entry.id = up.parent_id
    )
    select entry.id, entry.parent_id, entry.name,
      case when entry.deleted_at is null then 0 else 1 end as is_in_bin
    from up join entry on entry.id = up.id`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    parentId: row.parent_id,
    name: row.name,
    isInBin: row.is_in_bin === 1,
  }));
}

export interface NewEntry {
  readonly driveId: number;
  readonly changedBy: number | null;
  readonly parentId: number | null;
  readonly name: FileName | '';
  readonly isDirectory: boolean;
  readonly blobId: number | null;
  readonly size: number;
  readonly contentType: string | null;
  /** By default now. */
  readonly modifiedAt?: Instant | undefined;
}

/** Returns undefined if the name is taken. The caller counts the new child with {@link adjustChildCount}. */
export async function insertEntry(tx: Tx, entry: NewEntry, now: Instant): Promise<Entry | undefined> {
  const row = await INSERT_ENTRY.findFirst(tx, {
    ...entry,
    ...toNameColumns(entry.name),
    kind: entry.isDirectory ? null : toTypeColumns(entry.contentType).kind,
    directoryFlag: entry.isDirectory ? 1 : 0,
    now,
    modifiedAt: entry.modifiedAt ?? now,
  });
  return row && toEntry(row);
}

interface InsertedEntry extends Omit<NewEntry, 'isDirectory'>, NameColumns<NewEntry['name']> {
  readonly kind: number | null;
  readonly directoryFlag: 0 | 1;
  readonly now: Instant;
}

const INSERT_ENTRY = new CompiledOnce<InsertedEntry, EntryRow>((db, value) =>
  sql<EntryRow>`
    insert into entry (drive_id, parent_id, name, folded_name, plain_name, sort_name, is_directory, blob_id, size,
      content_type, kind, child_count, created_at, updated_at, modified_at, changed_by)
    values (${value('driveId')}, ${value('parentId')}, ${value('name')}, ${value('folded_name')},
      ${value('plain_name')}, ${value('sort_name')}, ${value('directoryFlag')}, ${value('blobId')}, ${value('size')},
      ${value('contentType')}, ${value('kind')}, 0, ${value('now')}, ${value('now')}, ${value('modifiedAt')},
      ${value('changedBy')})
    on conflict (parent_id, name) do nothing
    returning ${sql.raw(ENTRY_COLUMNS.join(', '))}`.compile(db),
);

/** Adds to the child count of a directory. */
export async function adjustChildCount(tx: Tx, directoryId: number, by: number): Promise<void> {
  await ADJUST_CHILD_COUNT.run(tx, { directoryId, by });
}

const ADJUST_CHILD_COUNT = new CompiledOnce<{ directoryId: number; by: number }>((db, value) =>
  sql`update entry set child_count = child_count + ${value('by')} where id = ${value('directoryId')}`.compile(
    db,
  ),
);

/** Who changes an entry, and when. */
export interface Change {
  /** Null for the system, and for a visitor of a shared drive. */
  readonly accountId: number | null;
  readonly now: Instant;
}

export async function renameEntry(
  tx: Tx,
  id: number,
  name: FileName,
  { accountId, now }: Change,
): Promise<void> {
  await tx
    .updateTable('entry')
    .set({ ...toNameColumns(name), updated_at: now, changed_by: accountId })
    .where('id', '=', id)
    .execute();
}

/**
 * Moves an entry with its whole subtree, under a new or the same name. The directory may also stay the same.
 * Writes one row and two child counts, however large the subtree is.
 */
export async function placeEntry(
  tx: Tx,
  place: { id: number; fromId: number; toId: number; name: FileName },
  { accountId, now }: Change,
): Promise<void> {
  const { id, fromId, toId, name } = place;
  await tx
    .updateTable('entry')
    .set({ parent_id: toId, ...toNameColumns(name), updated_at: now, changed_by: accountId })
    .where('id', '=', id)
    .execute();
  if (fromId === toId) return;
  await adjustChildCount(tx, fromId, -1);
  await adjustChildCount(tx, toId, 1);
}

/** Sets when the content of a file was last modified on the client. */
export async function setModifiedAt(
  tx: Tx,
  id: number,
  modifiedAt: Instant,
  { accountId, now }: Change,
): Promise<void> {
  await sql`update entry set modified_at = ${modifiedAt}, updated_at = ${now}, changed_by = ${accountId}
    where id = ${id}`.execute(tx);
}
