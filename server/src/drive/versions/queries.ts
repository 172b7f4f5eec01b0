import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { ReferenceCounts } from '../../blobs/blobs.ts';
import type { Db, Tx } from '../../database/database.ts';
import { toTypeColumns } from '../../database/type-columns.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import type { Entry } from '../entries/entry.ts';
import { ENTRY_COLUMNS, toEntry } from '../entries/entry-queries.ts';

export interface Content {
  readonly blobId: number;
  readonly size: number;
  readonly modifiedAt: Instant;
  /** By default it stays as it is. */
  readonly contentType?: string;
}

export interface Version extends Content {
  readonly id: number;
  readonly sha256: string | null;
  readonly replacedAt: Instant;
  readonly location: ObjectLocation;
}

/**
 * Makes a live file refer to other content, and clears the time at which it was taken, which is not known
 * yet. Returns undefined if its content is no longer that of `file`.
 */
export async function setContent(
  tx: Tx,
  file: Entry,
  { blobId, size, modifiedAt, contentType }: Content,
  now: Instant,
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
    })
    .$if(contentType !== undefined, (update) => update.set(toTypeColumns(contentType ?? null)))
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
  { id: entryId, ownerId }: Entry,
  { blobId, size, modifiedAt }: Content,
  now: Instant,
): Promise<number> {
  const { id } = await tx
    .insertInto('file_version')
    .values({
      entry_id: entryId,
      owner_id: ownerId,
      blob_id: blobId,
      size,
      modified_at: modifiedAt,
      replaced_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The ids of all versions of a file but the newest `count`. */
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

/** The oldest versions in a drive but one. */
export async function findOldestVersions(
  tx: Tx,
  ownerId: number,
  { except, limit }: { readonly except: number; readonly limit: number },
): Promise<readonly { readonly id: number; readonly size: number }[]> {
  return tx
    .selectFrom('file_version')
    .select(['id', 'size'])
    .where('owner_id', '=', ownerId)
    .where('id', '<>', except)
    .orderBy('replaced_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Whether a file has a version with content. Some clients create a file empty before they write it. */
export async function hasWrittenVersion(tx: Tx, entryId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('file_version')
    .select('id')
    .where('entry_id', '=', entryId)
    .where('size', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Newest first. */
export async function listVersions(db: Db, entryId: number): Promise<readonly Version[]> {
  const rows = await selectVersions(db)
    .where('entry_id', '=', entryId)
    .orderBy('file_version.id', 'desc')
    .execute();
  return rows.map(toVersion);
}

export async function findVersion(db: Db, entryId: number, id: number): Promise<Version | undefined> {
  const row = await selectVersions(db)
    .where('entry_id', '=', entryId)
    .where('file_version.id', '=', id)
    .executeTakeFirst();
  return row && toVersion(row);
}

function selectVersions(db: Db) {
  return db
    .selectFrom('file_version')
    .innerJoin('blob', 'blob.id', 'file_version.blob_id')
    .select(['file_version.id', 'file_version.blob_id as blobId', 'file_version.size'])
    .select(['file_version.modified_at as modifiedAt', 'file_version.replaced_at as replacedAt'])
    .select(['blob.sha256', 'blob.policy_id as policyId', 'blob.object_key as objectKey']);
}

type VersionRow = Omit<Version, 'location'> & ObjectLocation;

function toVersion({ policyId, objectKey, ...version }: VersionRow): Version {
  return { ...version, location: { policyId, objectKey } };
}

/** Versions that were replaced at or before an instant, with their owners, oldest first. */
export async function findVersionsUntil(
  db: Db,
  instant: Instant,
  limit: number,
): Promise<readonly { readonly id: number; readonly ownerId: number }[]> {
  return db
    .selectFrom('file_version')
    .innerJoin('entry', 'entry.id', 'file_version.entry_id')
    .select(['file_version.id', 'entry.owner_id as ownerId'])
    .where('file_version.replaced_at', '<=', instant)
    .orderBy('file_version.replaced_at')
    .orderBy('file_version.id')
    .limit(sql.lit(limit))
    .execute();
}
