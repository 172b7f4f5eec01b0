import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';
import type { ObjectLocation, StoreLocation } from '../policies/policies.ts';

/** A blob to copy. */
export interface ObjectToCopy extends ObjectLocation {
  readonly blobId: number;
  readonly size: number;
  readonly sha256: string | null;
  /** Whether the blob has references, so that its bytes must exist. */
  readonly isNeeded: boolean;
}

/** Blobs with keys after `afterKey` that are not being removed, in the order of their keys. */
export async function findWantedObjects(
  db: Db,
  afterKey: string,
  limit: number,
): Promise<readonly ObjectToCopy[]> {
  const rows = await selectObjects(db)
    .where('object_key', '>', afterKey)
    .orderBy('object_key')
    .limit(limit)
    .execute();
  return rows.map(({ reference_count, ...row }) => ({ ...row, isNeeded: reference_count > 0 }));
}

/** The current location of a blob; undefined when it was removed or is being removed. */
export async function findObjectOfBlob(db: Db, blobId: number): Promise<ObjectLocation | undefined> {
  return selectObjects(db).where('id', '=', blobId).executeTakeFirst();
}

function selectObjects(db: Db) {
  return db
    .selectFrom('blob')
    .select(['id as blobId', 'policy_id as policyId', 'object_key as objectKey', 'size', 'sha256'])
    .select('reference_count')
    .where('removing_at', 'is', null);
}

/**
 * Records that all objects are in one store, that of the default policy. A policy of the backup with that
 * location becomes the default; if there is none, the default policy gets the location.
 */
export async function setLocationOfAllBlobs(
  tx: Tx,
  location: StoreLocation,
  capabilities: { directUpload: boolean; maxObjectSize: number },
  now: Instant,
): Promise<void> {
  const policies = await tx.selectFrom('storage_policy').selectAll().orderBy('id').execute();
  const isThere = (each: (typeof policies)[number]) =>
    each.type === location.type &&
    each.bucket_name === location.bucketName &&
    each.prefix === location.prefix;
  const policy =
    policies.find((each) => isThere(each) && each.is_default === 1) ??
    policies.find(isThere) ??
    policies.find((each) => each.is_default === 1);
  // The drive has no policy. The next start creates it.
  if (policy === undefined) return;
  await tx.updateTable('storage_policy').set({ is_default: 0 }).where('id', '<>', policy.id).execute();
  const flag = capabilities.directUpload ? 1 : 0;
  await tx
    .updateTable('storage_policy')
    .set({
      is_default: 1,
      enabled: 1,
      bucket_name: location.bucketName,
      endpoint: location.endpoint,
      region: location.region,
      prefix: location.prefix,
      updated_at: now,
      ...(policy.type === location.type
        ? {}
        : {
            type: location.type,
            name: location.type === 'LOCAL' ? 'Local disk' : 'Object store',
            credential_mode: location.type === 'LOCAL' ? ('NONE' as const) : ('STATIC' as const),
            max_size_bytes: capabilities.maxObjectSize,
            max_object_size: capabilities.maxObjectSize,
            direct_upload: flag,
            multipart_upload: flag,
            requires_cors: flag,
            signed_download_url: 1 as const,
            server_proxy_download: 1 as const,
          }),
    })
    .where('id', '=', policy.id)
    .execute();
  await sql`update blob set policy_id = ${policy.id}`.execute(tx);
}

/**
 * Requeues the tasks that were running, without counting the lost attempt. Their workers belong to the old
 * drive.
 */
export async function queueRunningTasks(tx: Tx, now: Instant): Promise<void> {
  await tx
    .updateTable('task')
    .set({
      status: 'QUEUED',
      worker: null,
      heartbeat_at: null,
      lease_expires_at: null,
      progress: '{}',
      attempt_count: sql`attempt_count - 1`,
      run_at: now,
      updated_at: now,
    })
    .where('status', '=', 'RUNNING')
    .execute();
}
