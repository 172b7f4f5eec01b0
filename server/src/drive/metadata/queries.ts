import { type SqlBool, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../database/database.ts';
import type { Entry } from '../entries/entry.ts';
import { ENTRY_COLUMNS, toEntry } from '../entries/entry-queries.ts';

/**
 * Metadata derived from the bytes, which also holds for copies. `link:` values tell how this file was
 * received, which does not hold for its copies.
 */
const isOfBytes = sql<SqlBool>`substr(entry_metadata.name, 1, 5) <> 'link:'`;

/**
 * The file, and the drive's other files with the same bytes that have no metadata, including those in the
 * recycle bin.
 */
export async function findFilesToDescribe(
  tx: Tx,
  file: { readonly driveId: number; readonly blobId: number; readonly id: number },
  maxEntries: number,
): Promise<readonly { readonly entry: Entry; readonly isLive: boolean }[]> {
  const rows = await tx
    .selectFrom('entry')
    .select([...ENTRY_COLUMNS, 'entry.deleted_at'])
    .where('blob_id', '=', file.blobId)
    .where('blob_id', 'is not', null)
    .where('drive_id', '=', file.driveId)
    .where((where) =>
      where.or([
        where('id', '=', file.id),
        sql<SqlBool>`not exists (
          select 1 from entry_metadata where entry_metadata.entry_id = entry.id and ${isOfBytes})`,
      ]),
    )
    .orderBy(sql`case when id = ${file.id} then 0 else 1 end`)
    .limit(maxEntries)
    .execute();
  return rows.map((row) => ({ entry: toEntry(row), isLive: row.deleted_at === null }));
}

/** Whether more than `maxFiles` files have the same bytes, in all drives. */
export async function hasManyFiles(tx: Tx, blobId: number, maxFiles: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from
    (select 1 from entry where blob_id = ${blobId} and blob_id is not null limit ${maxFiles + 1}) as counted`.execute(
    tx,
  );
  return (rows[0]?.count ?? 0) > maxFiles;
}

/** Replaces all metadata whose names begin with the prefix. */
export async function putMetadata(
  tx: Tx,
  entryIds: readonly number[],
  prefix: string,
  values: ReadonlyMap<string, string>,
): Promise<void> {
  await tx
    .deleteFrom('entry_metadata')
    .where('entry_id', 'in', entryIds)
    .where(sql<SqlBool>`substr(name, 1, ${prefix.length}) = ${prefix}`)
    .execute();
  await insertMetadata(tx, entryIds, values);
}

/** Adds metadata to entries that have none of these names. */
export async function insertMetadata(
  tx: Tx,
  entryIds: readonly number[],
  values: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = entryIds.flatMap((entry_id) =>
    [...values].map(([name, value]) => ({ entry_id, name, value })),
  );
  if (rows.length > 0) await tx.insertInto('entry_metadata').values(rows).execute();
}

/**
 * When a picture or video was taken. A time without a zone counts as UTC. Both are null if it is not known.
 */
export interface TimeTaken {
  readonly at: Instant | null;
  /** The local time at the place, stored as if it were UTC. */
  readonly local: Instant | null;
}

/** Sets when pictures or videos were taken, which decides their place in the timeline. */
export async function setTakenAt(tx: Tx, ids: readonly number[], { at, local }: TimeTaken): Promise<void> {
  await tx
    .updateTable('entry')
    .set({ taken_at: at, taken_local: local === at ? null : local })
    .where('id', 'in', ids)
    .execute();
}

/** Deletes the metadata of the former content of a file. */
export async function deleteMetadata(tx: Tx, entryId: number): Promise<void> {
  await tx.deleteFrom('entry_metadata').where('entry_id', '=', entryId).execute();
}

/** Copies the metadata of a file to its copy. */
export async function copyMetadata(tx: Tx, fromId: number, toId: number): Promise<void> {
  await sql`insert into entry_metadata (entry_id, name, value)
    select cast(${toId} as bigint), name, value from entry_metadata
    where entry_id = ${fromId} and ${isOfBytes}`.execute(tx);
}

/** Copies the metadata of all files in the directories that `tree/copy-queries.ts` has marked. */
export async function copyMetadataBelow(tx: Tx): Promise<void> {
  await sql`insert into entry_metadata (entry_id, name, value)
    select twin.id, entry_metadata.name, entry_metadata.value
    from entry as copy
    join entry as child on child.parent_id = copy.copied_from and child.is_directory = 0
    join entry_metadata on entry_metadata.entry_id = child.id and ${isOfBytes}
    join entry as twin on twin.parent_id = copy.id and twin.name = child.name and twin.blob_id = child.blob_id
    where copy.copied_from is not null`.execute(tx);
}

/** The images, videos and audio files at and below an entry that have no metadata. */
export async function findMediaWithoutMetadata(
  tx: Tx,
  rootId: number,
  maxEntries: number,
): Promise<readonly Entry[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive subtree (id, content_type) as (
      select id, content_type from entry where id = ${rootId}
      union all
      select entry.id, entry.content_type from subtree join entry on entry.parent_id = subtree.id
    )
    select subtree.id from subtree
    where (content_type like 'image/%' or content_type like 'video/%' or content_type like 'audio/%')
      and not exists (
        select 1 from entry_metadata where entry_metadata.entry_id = subtree.id and ${isOfBytes})
    limit ${maxEntries}`.execute(tx);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const found = await tx.selectFrom('entry').select(ENTRY_COLUMNS).where('id', 'in', ids).execute();
  return found.map(toEntry);
}
