import type { Instant } from '../../base/clock.ts';
import type { Db } from '../../database/database.ts';

/** A blob, with the properties that its object must have. */
export interface StoredBlob {
  readonly key: string;
  readonly id: number;
  readonly size: number;
  readonly sha256: string | null;
  /** Whether its object must exist. */
  readonly isNeeded: boolean;
}

/** At most `limit` blobs of a policy after the key, in the order of their keys. */
export async function findBlobsAfter(
  db: Db,
  policyId: number,
  afterKey: string,
  limit: number,
): Promise<readonly StoredBlob[]> {
  const rows = await selectStored(db)
    .where('policy_id', '=', policyId)
    .where('object_key', '>', afterKey)
    .orderBy('object_key')
    .limit(limit)
    .execute();
  return rows.map(toStoredBlob);
}

/** The blob with this key, if it belongs to the policy. */
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
  // The sweeper may remove the object of a blob without references at any time.
  return { key, id, size, sha256, isNeeded: row.reference_count > 0 && row.removing_at === null };
}
