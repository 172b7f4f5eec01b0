import { sql } from 'kysely';
import type { FileName } from '../../base/text/names/file-name.ts';
import type { Tx } from '../../database/database.ts';
import { toNameColumns } from '../../database/name-columns.ts';
import type { Entry } from '../entries/entry.ts';
import { type Change, ENTRY_COLUMNS, toEntry } from '../entries/entry-queries.ts';

/*
 * Copies a tree with one `insert … select` per level, however many entries a level has. Until the copy ends,
 * each copied directory is marked with the id of its source in `copied_from`. The next level finds its new
 * parents by these marks. They are cleared before the transaction commits, so no other transaction ever sees
 * one.
 */

/**
 * Copies the root of the tree. Returns undefined if the name is taken in the target.
 * @param target.name by default that of the source
 */
export async function copyRoot(
  tx: Tx,
  source: Entry,
  target: { driveId: number; parentId: number; name?: FileName },
  { accountId, now }: Change,
): Promise<Entry | undefined> {
  const { name, folded_name, plain_name, sort_name } = toNameColumns(target.name ?? source.name);
  const row = await tx
    .insertInto('entry')
    .columns([
      'drive_id',
      'parent_id',
      'name',
      'folded_name',
      'plain_name',
      'sort_name',
      'is_directory',
      'blob_id',
      'size',
      'content_type',
      'kind',
      'child_count',
      'copied_from',
      'created_at',
      'updated_at',
      'modified_at',
      'changed_by',
      'taken_at',
      'taken_local',
    ])
    .expression((from) =>
      from
        .selectFrom('entry')
        .select([
          bound(target.driveId).as('drive_id'),
          bound(target.parentId).as('parent_id'),
          boundText(name).as('name'),
          boundText(folded_name).as('folded_name'),
          boundText(plain_name).as('plain_name'),
          boundText(sort_name).as('sort_name'),
          'is_directory',
          'blob_id',
          'size',
          'content_type',
          'kind',
          'child_count',
          sql<number | null>`case when is_directory = 1 then id end`.as('copied_from'),
          bound(now).as('created_at'),
          bound(now).as('updated_at'),
          'modified_at',
          bound(accountId).as('changed_by'),
          'taken_at',
          'taken_local',
        ])
        .where('id', '=', source.id),
    )
    .onConflict((conflict) => conflict.columns(['parent_id', 'name']).doNothing())
    .returning(ENTRY_COLUMNS)
    .executeTakeFirst();
  return row && toEntry(row);
}

/** Marks a directory as the copy of another one. Copying the next level then fills it with its children. */
export async function markAsCopy(
  tx: Tx,
  { id, sourceId }: { readonly id: number; readonly sourceId: number },
): Promise<void> {
  await tx.updateTable('entry').set({ copied_from: sourceId }).where('id', '=', id).execute();
}

/** The highest id of a marked directory, or 0. The directories of later levels have higher ids. */
export async function findHighestMarked(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('entry')
    .select((select) => select.fn.max('id').as('id'))
    .where('copied_from', 'is not', null)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/**
 * Copies the children of the marked directories whose id is greater than `aboveId`. Returns the number of
 * copies.
 */
export async function copyNextLevel(
  tx: Tx,
  driveId: number,
  aboveId: number,
  { accountId, now }: Change,
): Promise<number> {
  // `cross join` makes SQLite begin with the marked directories. Otherwise, it may read the whole table.
  const { numAffectedRows } = await sql`
    insert into entry (
      drive_id, parent_id, name, folded_name, plain_name, sort_name, is_directory, blob_id, size, content_type, kind,
      child_count, copied_from, created_at, updated_at, modified_at, changed_by, taken_at, taken_local
    )
    select ${bound(driveId)}, copy.id, child.name, child.folded_name, child.plain_name, child.sort_name,
      child.is_directory, child.blob_id, child.size, child.content_type, child.kind, child.child_count,
      case when child.is_directory = 1 then child.id end, ${bound(now)}, ${bound(now)}, child.modified_at,
      ${bound(accountId)}, child.taken_at, child.taken_local
    from entry as copy cross join entry as child
    where child.parent_id = copy.copied_from
      and copy.copied_from is not null and copy.id > ${aboveId}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Recounts the children of the marked directories: their sources may have changed during the copy. */
export async function recountCopied(tx: Tx): Promise<void> {
  await sql`
    update entry set child_count = (select count(*) from entry as child where child.parent_id = entry.id)
    where copied_from is not null`.execute(tx);
}

export async function clearCopyMarks(tx: Tx): Promise<void> {
  await tx.updateTable('entry').set({ copied_from: null }).where('copied_from', 'is not', null).execute();
}

/**
 * A parameter keeps the statement the same for every copy, so it stays prepared. PostgreSQL needs the cast.
 */
function bound<T extends number | null>(value: T) {
  return sql<T>`cast(${value} as bigint)`;
}

function boundText<T extends string | null>(value: T) {
  return sql<T>`cast(${value} as text)`;
}
