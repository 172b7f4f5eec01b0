import { sql } from 'kysely';
import type { ReferenceCounts } from '../../blobs/blobs.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Usage } from '../../drives/drives.ts';
import type { Entry } from './entry.ts';

/**
 * The usage of an entry and everything below it. If there are more than `maxEntries` entries, stops counting
 * after one more.
 */
export async function sumSubtree(db: Db, rootId: number, maxEntries: number): Promise<Usage> {
  return await withSubtree(db, rootId)
    .selectFrom((from) =>
      from
        .selectFrom('subtree')
        .selectAll()
        .limit(maxEntries + 1)
        .as('counted'),
    )
    .select([
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'),
      sql<number>`count(blob_id)`.as('files'),
      sql<number>`count(*)`.as('entries'),
    ])
    .executeTakeFirstOrThrow();
}

/** The number of files below a directory at any depth. */
export async function countFiles(db: Db, directoryId: number): Promise<number> {
  const { rows } = await sql<{ files: number }>`
    with recursive subtree (id, blob_id) as (
      select id, blob_id from entry where id = ${directoryId}
      union all
      select entry.id, entry.blob_id from subtree join entry on entry.parent_id = subtree.id
    )
    select count(blob_id) as files from subtree`.execute(db);
  return rows[0]?.files ?? 0;
}

/**
 * Whether a tree has more than `maxEntries` entries. Takes one statement per level of a small tree, and reads
 * at most that many rows of a large one.
 */
export async function isLargeTree(db: Db, rootId: number, maxEntries: number): Promise<boolean> {
  const { rows: roots } = await sql<{ id: number; child_count: number }>`
    select id, child_count from entry where id = ${rootId}`.execute(db);
  let level = roots;
  for (let entries = 1; level.length > 0; ) {
    for (const { child_count: children } of level) entries += children;
    if (entries > maxEntries) return true;
    const parents = level.filter(({ child_count: children }) => children > 0).map(({ id }) => id);
    if (parents.length === 0) return false;
    const { rows } = await sql<{ id: number; child_count: number }>`
      select id, child_count from entry where parent_id in (${sql.join(parents)}) and is_directory = 1`.execute(
      db,
    );
    level = rows;
  }
  return false;
}

/**
 * Whether there are more than `maxEntries` entries below a directory. Takes one statement, and reads only
 * directories, whose child counts include their files.
 */
export async function hasMoreBelow(db: Db, directoryId: number, maxEntries: number): Promise<boolean> {
  // Every directory found below the first is itself an entry and has children. So if there are more
  // directories than the limit, there are more entries, and the query can stop.
  const { rows } = await sql<{ entries: number }>`
    with recursive directory (id, child_count) as (
      select id, child_count from entry where id = ${directoryId}
      union all
      select child.id, child.child_count
      from directory join entry as child on child.parent_id = directory.id
      where child.is_directory = 1 and child.child_count > 0
    )
    select cast(coalesce(sum(child_count), 0) as bigint) as entries
    from (select child_count from directory limit ${maxEntries + 1}) as counted`.execute(db);
  return (rows[0]?.entries ?? 0) > maxEntries;
}

/** Totals of the subtree of an entry, including the entry itself. */
export interface TreeTotals {
  readonly files: number;
  readonly directories: number;
  /** The sum of the file sizes. A blob that several files share counts for each of them. */
  readonly bytes: number;
}

export async function countTree(db: Db, rootId: number): Promise<TreeTotals> {
  return await withSubtree(db, rootId)
    .selectFrom('subtree')
    .select([
      sql<number>`count(blob_id)`.as('files'),
      sql<number>`count(*) - count(blob_id)`.as('directories'),
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'),
    ])
    .executeTakeFirstOrThrow();
}

/** How often the files at and below an entry refer to each blob. */
export function countSubtreeUses(tx: Tx, rootId: number): ReferenceCounts {
  return withSubtree(tx, rootId)
    .selectFrom('subtree')
    .where('blob_id', 'is not', null)
    .groupBy('blob_id')
    .select((select) => ['blob_id', select.fn.countAll<number>().as('uses')]);
}

/**
 * The number of levels below a directory. Reads directories only: their child counts tell whether files add a
 * level, so a directory takes one index lookup however many files it has.
 */
export async function findHeight(db: Db, directory: Entry): Promise<number> {
  if (directory.childCount === 0) return 0;
  const { rows } = await sql<{ height: number }>`
    with recursive directory (id, height) as (
      select cast(${directory.id} as bigint), cast(1 as bigint)
      union all
      select entry.id, directory.height + 1
      from directory join entry on entry.parent_id = directory.id
      where entry.is_directory = 1 and entry.child_count > 0
    )
    select max(height) as height from directory`.execute(db);
  return rows[0]?.height ?? 0;
}

/**
 * An entry and everything below it, as the table `subtree`. The table includes all columns that the queries
 * need: if they joined it with `entry` again, SQLite would scan the whole table.
 */
export function withSubtree(db: Db, rootId: number) {
  return db.withRecursive('subtree', (cte) =>
    cte
      .selectFrom('entry')
      .select(['entry.id', 'entry.blob_id', 'entry.size'])
      .where('entry.id', '=', rootId)
      .unionAll(
        cte
          .selectFrom('entry')
          .innerJoin('subtree', 'subtree.id', 'entry.parent_id')
          .select(['entry.id', 'entry.blob_id', 'entry.size']),
      ),
  );
}
