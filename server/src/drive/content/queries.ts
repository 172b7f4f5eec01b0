import type { Instant } from '../../base/clock.ts';
import type { ReferenceCounts } from '../../blobs/blobs.ts';
import type { Tx } from '../../database/database.ts';
import type { Entry } from '../entries/entry.ts';
import { type Change, ENTRY_COLUMNS, toEntry } from '../entries/entry-queries.ts';

export interface FileContent {
  readonly blobId: number;
  readonly size: number;
  readonly modifiedAt: Instant;
}

/**
 * Makes a live file refer to other content. Clears the time taken, which is not yet known for the new
 * content. Returns undefined if its content is no longer that of `file`.
 */
export async function setContent(
  tx: Tx,
  file: Entry,
  { blobId, size, modifiedAt }: FileContent,
  { accountId, now }: Change,
): Promise<Entry | undefined> {
  const row = await tx
    .updateTable('entry')
    .set({
      blob_id: blobId,
      size,
      modified_at: modifiedAt,
      taken_at: null,
      taken_local: null,
      updated_at: now,
      changed_by: accountId,
    })
    .where('id', '=', file.id)
    .where('blob_id', '=', file.blobId)
    .where('deleted_at', 'is', null)
    .returning(ENTRY_COLUMNS)
    .executeTakeFirst();
  return row && toEntry(row);
}

/** Returns the id of the version. */
export async function insertVersion(
  tx: Tx,
  { id: entryId, driveId }: Entry,
  { blobId, size, modifiedAt }: FileContent,
  now: Instant,
): Promise<number> {
  const { id } = await tx
    .insertInto('file_version')
    .values({
      entry_id: entryId,
      drive_id: driveId,
      blob_id: blobId,
      size,
      modified_at: modifiedAt,
      replaced_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The ids of a file's versions, except the newest `count`. */
export async function findVersionsBeyond(tx: Tx, entryId: number, count: number): Promise<readonly number[]> {
  const rows = await tx
    .selectFrom('file_version')
    .select('id')
    .where('entry_id', '=', entryId)
    .orderBy('id', 'desc')
    .limit(1_000)
    .offset(count)
    .execute();
  return rows.map(({ id }) => id);
}

/** How often versions refer to each blob. */
export function countVersionUses(tx: Tx, ids: readonly number[]): ReferenceCounts {
  return tx
    .selectFrom('file_version')
    .where('id', 'in', ids)
    .groupBy('blob_id')
    .select((select) => ['blob_id', select.fn.countAll<number>().as('uses')]);
}

/** Returns the bytes of the deleted versions. */
export async function deleteVersions(tx: Tx, ids: readonly number[]): Promise<number> {
  const deleted = await tx.deleteFrom('file_version').where('id', 'in', ids).returning('size').execute();
  return deleted.reduce((bytes, { size }) => bytes + size, 0);
}

/** The oldest versions in a drive, without the version `except`. */
export async function findOldestVersions(
  tx: Tx,
  driveId: number,
  { except, limit }: { readonly except: number; readonly limit: number },
): Promise<readonly { readonly id: number; readonly size: number }[]> {
  return tx
    .selectFrom('file_version')
    .select(['id', 'size'])
    .where('drive_id', '=', driveId)
    .where('id', '<>', except)
    .orderBy('replaced_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}
