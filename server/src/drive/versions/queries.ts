import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import type { FileContent } from '../content/queries.ts';

export interface Version extends FileContent {
  readonly id: number;
  readonly sha256: string | null;
  readonly replacedAt: Instant;
  readonly location: ObjectLocation;
}

/**
 * Whether a file has a version with content. Empty versions do not count: some clients create an empty file
 * before they write it.
 */
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

/** Versions that were replaced at or before an instant, with their drives, oldest first. */
export async function findVersionsUntil(
  db: Db,
  instant: Instant,
  limit: number,
): Promise<readonly { readonly id: number; readonly driveId: number }[]> {
  return db
    .selectFrom('file_version')
    .innerJoin('entry', 'entry.id', 'file_version.entry_id')
    .select(['file_version.id', 'entry.drive_id as driveId'])
    .where('file_version.replaced_at', '<=', instant)
    .orderBy('file_version.replaced_at')
    .orderBy('file_version.id')
    .limit(sql.lit(limit))
    .execute();
}
