import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';
import type { ObjectLocation, StoreLocation } from '../policies/policies.ts';

/** A blob as it is to be copied. */
export interface WantedObject extends ObjectLocation {
  readonly blobId: number;
  readonly size: number;
  readonly sha256: string | null;
  /** Something refers to it: it has to be there. */
  readonly isNeeded: boolean;
}

/** Blobs that are not being removed, behind the key, in the order of their keys. */
export async function findWantedObjects(
  db: Db,
  afterKey: string,
  most: number,
): Promise<readonly WantedObject[]> {
  const rows = await selectObjects(db)
    .where('object_key', '>', afterKey)
    .orderBy('object_key')
    .limit(most)
    .execute();
  return rows.map(({ reference_count, ...row }) => ({ ...row, isNeeded: reference_count > 0 }));
}

/** Where its bytes lie now; undefined when they are gone, or on their way. */
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
 * All objects lie in one place now: that of the default policy, which becomes the one that means the place, or is changed
 * to mean it.
 */
export async function putEverythingAt(
  tx: Tx,
  place: StoreLocation,
  capabilities: { direct: boolean; largestObject: number },
  now: Instant,
): Promise<void> {
  const standing = await tx.selectFrom('storage_policy').selectAll().orderBy('id').execute();
  const isThere = (each: (typeof standing)[number]) =>
    each.type === place.type && each.bucket_name === place.bucketName && each.prefix === place.prefix;
  const policy =
    standing.find((each) => isThere(each) && each.is_default === 1) ??
    standing.find(isThere) ??
    standing.find((each) => each.is_default === 1);
  // A drive that never stored anything: the start makes its policy.
  if (policy === undefined) return;
  await tx.updateTable('storage_policy').set({ is_default: 0 }).where('id', '<>', policy.id).execute();
  const flag = capabilities.direct ? 1 : 0;
  await tx
    .updateTable('storage_policy')
    .set({
      is_default: 1,
      enabled: 1,
      bucket_name: place.bucketName,
      endpoint: place.endpoint,
      region: place.region,
      prefix: place.prefix,
      updated_at: now,
      ...(policy.type === place.type
        ? {}
        : {
            type: place.type,
            name: place.type === 'LOCAL' ? 'Local disk' : 'Object store',
            credential_mode: place.type === 'LOCAL' ? ('NONE' as const) : ('STATIC' as const),
            max_size_bytes: capabilities.largestObject,
            max_object_size: capabilities.largestObject,
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

/** Background tasks that ran are to be begun anew, as if they had not: whoever ran them has another drive. */
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
