import { type Selectable, sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';
import { toFlag } from '../database/flag.ts';
import type { StoragePolicyTable } from '../database/tables/blobs.ts';
import type { StoragePolicy, StoreLocation } from './policy.ts';
import type { PolicyAttributes } from './policy-rules.ts';

/** All policies, in the order of their ids; there are few. */
export async function findPolicies(db: Db): Promise<readonly StoragePolicy[]> {
  const rows = await db.selectFrom('storage_policy').selectAll().orderBy('id').execute();
  return rows.map(toPolicy);
}

export async function findPolicy(db: Db, id: number): Promise<StoragePolicy | undefined> {
  const row = await db.selectFrom('storage_policy').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toPolicy(row);
}

/** Inserts the default policy unless there is one. Only one of several concurrent callers inserts it. */
export async function insertDefaultPolicy(
  tx: Tx,
  policy: Omit<PolicyAttributes, 'isEnabled'>,
  now: Instant,
): Promise<void> {
  await tx
    .insertInto('storage_policy')
    .values({ ...toRow({ ...policy, isEnabled: true }), is_default: 1, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('is_default').where(sql<boolean>`is_default = 1`).doNothing())
    .execute();
}

/**
 * Counts all policies, and locks the default one. So no one else can insert a policy until the transaction
 * ends.
 */
export async function lockAndCountPolicies(tx: Tx): Promise<number> {
  await tx
    .updateTable('storage_policy')
    .set((policy) => ({ updated_at: policy.ref('updated_at') }))
    .where('is_default', '=', 1)
    .execute();
  const { count } = await tx
    .selectFrom('storage_policy')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertPolicy(
  tx: Tx,
  attributes: PolicyAttributes,
  now: Instant,
): Promise<StoragePolicy> {
  const row = await tx
    .insertInto('storage_policy')
    .values({ ...toRow(attributes), is_default: 0, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toPolicy(row);
}

export async function updatePolicy(
  tx: Tx,
  id: number,
  attributes: PolicyAttributes,
  now: Instant,
): Promise<StoragePolicy> {
  const row = await tx
    .updateTable('storage_policy')
    .set({ ...toRow(attributes), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toPolicy(row);
}

/** Finds the policy and locks it until the transaction ends. */
export async function lockPolicy(tx: Tx, id: number): Promise<StoragePolicy | undefined> {
  const row = await tx
    .updateTable('storage_policy')
    .set((policy) => ({ updated_at: policy.ref('updated_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toPolicy(row);
}

/**
 * Whether the policy's store holds objects, or a migration involves the policy. Does not look for objects of
 * the first policy: it is the default, so its location cannot change anyway.
 */
export async function isUsed(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select 1 from blob where policy_id = ${id} and policy_id > 1)
      or exists (select 1 from blob_relocation where source_policy_id = ${id} or target_policy_id = ${id})`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Records a new endpoint and region of the default policy's store. */
export async function updateDefaultEndpoint(
  tx: Tx,
  { endpoint, region }: Pick<StoreLocation, 'endpoint' | 'region'>,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('storage_policy')
    .set({ endpoint, region, updated_at: now })
    .where('is_default', '=', 1)
    .execute();
}

function toRow({ capabilities, ...policy }: PolicyAttributes) {
  return {
    name: policy.name,
    type: policy.type,
    bucket_name: policy.bucketName,
    endpoint: policy.endpoint,
    region: policy.region,
    prefix: policy.prefix,
    credential_mode: policy.credentialMode,
    max_size_bytes: policy.maxSizeBytes,
    direct_upload: toFlag(capabilities.directUpload),
    multipart_upload: toFlag(capabilities.multipartUpload),
    signed_download_url: toFlag(capabilities.signedDownloadUrl),
    server_proxy_download: toFlag(capabilities.serverProxyDownload),
    requires_cors: toFlag(capabilities.requiresCors),
    max_object_size: capabilities.maxObjectSize,
    enabled: toFlag(policy.isEnabled),
  };
}

function toPolicy(row: Selectable<StoragePolicyTable>): StoragePolicy {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    bucketName: row.bucket_name,
    endpoint: row.endpoint,
    region: row.region,
    prefix: row.prefix,
    credentialMode: row.credential_mode,
    maxSizeBytes: row.max_size_bytes,
    capabilities: {
      directUpload: row.direct_upload === 1,
      multipartUpload: row.multipart_upload === 1,
      signedDownloadUrl: row.signed_download_url === 1,
      serverProxyDownload: row.server_proxy_download === 1,
      requiresCors: row.requires_cors === 1,
      maxObjectSize: row.max_object_size,
    },
    isEnabled: row.enabled === 1,
    isDefault: row.is_default === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
