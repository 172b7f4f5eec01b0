import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';
import type { IdRange } from './row-check.ts';

/** Every column that refers to a blob, and is counted by it. A test holds the list against the schema. */
export const BLOB_REFERENCES = [
  ['entry', 'blob_id'],
  ['account', 'avatar_blob_id'],
  ['transfer_file', 'blob_id'],
  ['mobile_release', 'blob_id'],
] as const;

const USED = sql.join(
  BLOB_REFERENCES.map(
    ([table, column]) =>
      sql<number>`(select count(*) from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = blob.id)`,
  ),
  sql` + `,
);

export interface BlobLook {
  readonly id: number;
  readonly object_key: string;
  readonly policy_id: number;
  readonly reference_count: number;
  readonly unreferenced_at: Instant | null;
  readonly removing_at: Instant | null;
  readonly used: number;
  /** Null where there is no such policy. */
  readonly known_policy_id: number | null;
}

export async function findBlobLooks(db: Db, { after, through }: IdRange): Promise<readonly BlobLook[]> {
  const { rows } = await sql<BlobLook>`
    select blob.id, blob.object_key, blob.policy_id, blob.reference_count, blob.unreferenced_at, blob.removing_at,
      ${USED} as used, storage_policy.id as known_policy_id
    from blob left join storage_policy on storage_policy.id = blob.policy_id
    where blob.id > ${after} and blob.id <= ${through} order by blob.id`.execute(db);
  return rows;
}

/** Whoever refers to the blob, or ceases to, waits until the transaction ends. */
export async function holdBlob(tx: Tx, id: number): Promise<void> {
  await sql`update blob set reference_count = reference_count where id = ${id}`.execute(tx);
}

/** Those that come to 0 begin their grace time now. */
export async function putReferenceCount(tx: Tx, id: number, now: Instant): Promise<void> {
  await sql`update blob set reference_count = ${USED},
    unreferenced_at = case when ${USED} = 0 then ${now} else unreferenced_at end
    where id = ${id}`.execute(tx);
}

export async function markUnreferenced(tx: Tx, id: number, now: Instant): Promise<void> {
  await sql`update blob set unreferenced_at = ${now} where id = ${id} and unreferenced_at is null`.execute(
    tx,
  );
}

export interface StoredBlob {
  readonly key: string;
  readonly id: number;
  readonly size: number;
  readonly sha256: string | null;
  readonly isNeeded: boolean;
}

/** Blobs of a policy behind the key, in the order of their keys. */
export async function findBlobsInOrder(
  db: Db,
  policyId: number,
  afterKey: string,
  most: number,
): Promise<readonly StoredBlob[]> {
  const rows = await selectStored(db)
    .where('policy_id', '=', policyId)
    .where('object_key', '>', afterKey)
    .orderBy('object_key')
    .limit(most)
    .execute();
  return rows.map(toStoredBlob);
}

/** The blob of that key, if it lies in the store of that policy. */
export async function findBlobByKey(db: Db, policyId: number, key: string): Promise<StoredBlob | undefined> {
  const row = await selectStored(db)
    .where('object_key', '=', key)
    .where('policy_id', '=', policyId)
    .executeTakeFirst();
  return row && toStoredBlob(row);
}

function selectStored(db: Db) {
  return db
    .selectFrom('blob')
    .select(['id', 'object_key', 'size', 'sha256', 'reference_count', 'removing_at']);
}

function toStoredBlob(row: {
  id: number;
  object_key: string;
  size: number;
  sha256: string | null;
  reference_count: number;
  removing_at: Instant | null;
}): StoredBlob {
  const { id, object_key: key, size, sha256 } = row;
  // The bytes of what nothing refers to may be gone or not.
  return { key, id, size, sha256, isNeeded: row.reference_count > 0 && row.removing_at === null };
}
