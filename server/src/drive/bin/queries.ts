import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import { type LogicalPath, ROOT_PATH } from '../../base/text/names/logical-path.ts';
import type { ReferenceCounts } from '../../blobs/blobs.ts';
import type { Db, Tx } from '../../database/database.ts';
import { toNameColumns } from '../../database/name-columns.ts';
import type { Usage } from '../../drives/drives.ts';
import type { Entry } from '../entries/entry.ts';
import {
  adjustChildCount,
  type Change,
  ENTRY_COLUMNS,
  type EntryRow,
  toEntry,
} from '../entries/entry-queries.ts';
import { withSubtree } from '../entries/subtree-queries.ts';

/** A tree in the recycle bin, by its root entry. */
export interface BinRoot {
  readonly entry: Entry;
  /** The path of the directory from which it was deleted. */
  readonly parentPath: LogicalPath;
  readonly deletedAt: Instant;
}

const BIN_COLUMNS = [...ENTRY_COLUMNS, 'entry.deleted_at', 'entry.bin_parent_path'] as const;

/**
 * Moves a tree to the recycle bin. Only its root is detached from its parent, so the tree keeps its
 * structure.
 */
export async function moveToBin(
  tx: Tx,
  entry: Entry,
  parentPath: LogicalPath,
  { accountId, now }: Change,
): Promise<void> {
  await withSubtree(tx, entry.id)
    .updateTable('entry')
    .set({ deleted_at: now, bin_root_id: entry.id })
    .where('id', 'in', (select) => select.selectFrom('subtree').select('subtree.id'))
    .execute();
  await tx
    .updateTable('entry')
    .set({ parent_id: null, bin_parent_path: parentPath, changed_by: accountId })
    .where('id', '=', entry.id)
    .execute();
  if (entry.parentId !== null) await adjustChildCount(tx, entry.parentId, -1);
}

/** Moves a tree from the recycle bin into a directory, under a name that is free there. */
export async function moveFromBin(
  tx: Tx,
  rootId: number,
  { parentId, name, accountId }: { parentId: number; name: FileName; accountId: number | null },
): Promise<void> {
  await tx
    .updateTable('entry')
    .set({ parent_id: parentId, ...toNameColumns(name), bin_parent_path: null, changed_by: accountId })
    .where('id', '=', rootId)
    .execute();
  await tx
    .updateTable('entry')
    .set({ deleted_at: null, bin_root_id: null })
    .where('bin_root_id', '=', rootId)
    .execute();
  await adjustChildCount(tx, parentId, 1);
}

export async function findBinRoot(db: Db, driveId: number, id: number): Promise<BinRoot | undefined> {
  const row = await db
    .selectFrom('entry')
    .select(BIN_COLUMNS)
    .where('id', '=', id)
    .where('bin_root_id', '=', id)
    .where('drive_id', '=', driveId)
    .executeTakeFirst();
  return row && toBinRoot(row);
}

/** Whether the drive's bin has more than `maxRoots` trees. */
export async function isLargeBin(db: Db, driveId: number, maxRoots: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from
    (select 1 from entry where drive_id = ${driveId} and bin_root_id = id limit ${maxRoots + 1}) as counted`.execute(
    db,
  );
  return (rows[0]?.count ?? 0) > maxRoots;
}

export async function findBinPage(
  db: Db,
  driveId: number,
  page: PageRequest,
): Promise<{ items: readonly BinRoot[]; total: number }> {
  const roots = db
    .selectFrom('entry')
    .where('drive_id', '=', driveId)
    .where('bin_root_id', '=', sql.ref<number>('entry.id'));
  const { total } = await roots
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await roots
    .select(BIN_COLUMNS)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  return { items: rows.map(toBinRoot), total };
}

/** The position of a root in the order of deletion. */
export interface BinPosition {
  readonly id: number;
  readonly driveId: number;
  readonly deletedAt: Instant;
}

/**
 * Roots that were deleted at or before an instant, oldest first. Without `driveId`, includes those of all
 * drives. Without `after`, starts with the oldest.
 */
export async function findBinRootsUntil(
  db: Db,
  instant: Instant,
  maxEntries: number,
  { driveId, after }: { driveId?: number | undefined; after?: BinPosition | undefined },
): Promise<readonly BinPosition[]> {
  let roots = db
    .selectFrom('entry')
    .select(['id', 'drive_id as driveId', sql<Instant>`deleted_at`.as('deletedAt')])
    .where('bin_root_id', '=', sql.ref<number>('entry.id'))
    .where('deleted_at', '<=', instant);
  if (driveId !== undefined) roots = roots.where('drive_id', '=', driveId);
  if (after !== undefined) {
    roots = roots.where(sql<boolean>`(deleted_at, id) > (${after.deletedAt}, ${after.id})`);
  }
  return roots.orderBy('deleted_at').orderBy('id').limit(maxEntries).execute();
}

/** The usage of a tree in the bin, as if it were live. */
export async function sumBinTree(tx: Tx, rootId: number): Promise<Usage> {
  return await tx
    .selectFrom('entry')
    .select([
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'),
      (select) => select.fn.count<number>('blob_id').as('files'),
      (select) => select.fn.countAll<number>().as('entries'),
    ])
    .where('bin_root_id', '=', rootId)
    .executeTakeFirstOrThrow();
}

/** The bytes of the tree's files and of their versions. */
export async function sumKeptBytes(tx: Tx, rootId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(
      (select coalesce(sum(size), 0) from entry where bin_root_id = ${rootId})
      + (select coalesce(sum(file_version.size), 0)
        from file_version join entry on entry.id = file_version.entry_id where entry.bin_root_id = ${rootId})
      as bigint) as bytes`.execute(tx);
  return rows[0]?.bytes ?? 0;
}

/** Counts how often the tree's files and their versions refer to each blob. */
export function countBinTreeUses(tx: Tx, rootId: number): ReferenceCounts {
  const files = tx
    .selectFrom('entry')
    .select('blob_id')
    .where('bin_root_id', '=', rootId)
    .where('blob_id', 'is not', null);
  const versions = tx
    .selectFrom('file_version')
    .innerJoin('entry', 'entry.id', 'file_version.entry_id')
    .select('file_version.blob_id')
    .where('entry.bin_root_id', '=', rootId);
  return tx
    .selectFrom(files.unionAll(versions).as('used'))
    .groupBy('blob_id')
    .select((select) => ['blob_id', select.fn.countAll<number>().as('uses')]);
}

/**
 * Deletes the entries of a tree, with the rows of their versions and metadata. Returns the number of deleted
 * entries.
 */
export async function deleteBinTree(tx: Tx, rootId: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('entry')
    .where('bin_root_id', '=', rootId)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function toBinRoot(row: EntryRow & { deleted_at: Instant | null; bin_parent_path: string | null }): BinRoot {
  return {
    entry: toEntry(row),
    // It was a valid path when it was stored.
    parentPath: (row.bin_parent_path ?? ROOT_PATH) as LogicalPath,
    deletedAt: row.deleted_at ?? 0,
  };
}
