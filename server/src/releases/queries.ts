import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';
import { conflictOn } from '../database/unique-violations.ts';
import type { Release, ReleaseName } from './release.ts';

/** All releases, newest first. */
export async function findReleases(db: Db): Promise<readonly Release[]> {
  const rows = await selectReleases(db).orderBy('mobile_release.version_code', 'desc').execute();
  return rows.map(toRelease);
}

export async function findNewestRelease(db: Db): Promise<Release | undefined> {
  const row = await selectReleases(db)
    .orderBy('mobile_release.version_code', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toRelease(row);
}

export async function findReleaseByFileName(db: Db, fileName: string): Promise<Release | undefined> {
  const row = await selectReleases(db).where('mobile_release.file_name', '=', fileName).executeTakeFirst();
  return row && toRelease(row);
}

/** @throws Failure `conflict` if another release has the version code or file name */
export async function insertRelease(
  tx: Tx,
  { versionCode, versionName, fileName }: ReleaseName,
  blobId: number,
  now: Instant,
): Promise<void> {
  await tx
    .insertInto('mobile_release')
    .values({
      version_code: versionCode,
      version_name: versionName,
      file_name: fileName,
      blob_id: blobId,
      released_at: now,
    })
    .execute()
    .catch(
      conflictOn({
        'mobile_release(version_code)': `The version code ${versionCode} is published already.`,
        'mobile_release(file_name)': `${fileName} is published already, with another version code.`,
      }),
    );
}

/** Returns the blob id of the deleted release; undefined if there was none. */
export async function deleteRelease(tx: Tx, versionCode: number): Promise<number | undefined> {
  const row = await tx
    .deleteFrom('mobile_release')
    .where('version_code', '=', versionCode)
    .returning('blob_id')
    .executeTakeFirst();
  return row?.blob_id;
}

function selectReleases(db: Db) {
  return db
    .selectFrom('mobile_release')
    .innerJoin('blob', 'blob.id', 'mobile_release.blob_id')
    .select([
      'mobile_release.version_code',
      'mobile_release.version_name',
      'mobile_release.file_name',
      'mobile_release.released_at',
      'blob.policy_id',
      'blob.object_key',
      'blob.size',
      'blob.sha256',
    ]);
}

function toRelease(row: {
  version_code: number;
  version_name: string;
  file_name: string;
  released_at: Instant;
  policy_id: number;
  object_key: string;
  size: number;
  sha256: string | null;
}): Release {
  return {
    versionCode: row.version_code,
    versionName: row.version_name,
    fileName: row.file_name,
    releasedAt: row.released_at,
    place: { policyId: row.policy_id, objectKey: row.object_key },
    size: row.size,
    sha256: row.sha256,
  };
}
