import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../database/database.ts';
import { addToTotal, lockTotal } from '../total/queries.ts';

/** The position of a pass over the unreferenced blobs, which are sorted by these members. */
export interface RemovalCursor {
  readonly unreferencedAt: Instant;
  readonly id: number;
}

interface RemovableBlob extends RemovalCursor {
  readonly policyId: number;
  readonly objectKey: string;
}

/**
 * Marks blobs for removal that have been unreferenced since `before`, and returns the marked blobs after the
 * cursor. These include blobs that an interrupted run has marked.
 */
export async function markForRemoval(
  tx: Tx,
  {
    policyId,
    before,
    now,
    after = { unreferencedAt: 0, id: 0 },
    limit,
  }: {
    readonly policyId: number;
    readonly before: Instant;
    readonly now: Instant;
    readonly after: RemovalCursor | undefined;
    readonly limit: number;
  },
): Promise<readonly RemovableBlob[]> {
  const { unreferencedAt, id } = after;
  const due = tx
    .selectFrom('blob')
    .select('id')
    .where('unreferenced_at', '<=', before)
    .where('unreferenced_at', '>=', unreferencedAt)
    .where((where) => where.or([where('unreferenced_at', '>', unreferencedAt), where('id', '>', id)]))
    .where('reference_count', '=', 0)
    .where('policy_id', '=', policyId)
    .orderBy('unreferenced_at')
    .orderBy('id')
    .limit(limit);
  const marked = await tx
    .updateTable('blob')
    .set({ removing_at: now })
    .where('id', 'in', due)
    .where('reference_count', '=', 0)
    // Checked again for the row that is updated: the blob may have been migrated meanwhile.
    .where('policy_id', '=', policyId)
    .returning(['id', 'policy_id as policyId', 'object_key as objectKey', 'unreferenced_at'])
    .execute();
  return marked
    .map(({ unreferenced_at, ...blob }) => ({ ...blob, unreferencedAt: unreferenced_at ?? before }))
    .toSorted((a, b) => a.unreferencedAt - b.unreferencedAt || a.id - b.id);
}

/**
 * Records that orphaned objects are removed, and returns their keys. A key that an upload has recorded
 * meanwhile is left out. The unique index on the keys of blobs decides: while this transaction has the key,
 * an upload waits, and then it finds the key among the removed ones.
 */
export async function recordRemovedOrphans(
  tx: Tx,
  { policyId, keys, expiresAt }: { policyId: number; keys: readonly string[]; expiresAt: Instant },
): Promise<readonly string[]> {
  const row = { policy_id: policyId, kind: 'FILE' as const, size: 0, reference_count: 0, created_by: 0 };
  const inserted = await tx
    .insertInto('blob')
    .values(keys.map((key) => ({ ...row, created_at: 0, unreferenced_at: 0, object_key: key })))
    .onConflict((conflict) => conflict.column('object_key').doNothing())
    .returning('id')
    .execute();
  const ids = inserted.map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom('blob').where('id', 'in', ids).execute();
  const recorded = await tx
    .selectFrom('blob')
    .select('object_key as key')
    .where('object_key', 'in', keys)
    .where('policy_id', '=', policyId)
    .execute();
  const recordedKeys = new Set(recorded.map(({ key }) => key));
  const orphans = keys.filter((key) => !recordedKeys.has(key));
  if (orphans.length === 0) return [];
  await tx
    .insertInto('removed_object')
    .values(orphans.map((key) => ({ object_key: key, expires_at: expiresAt })))
    .onConflict((conflict) => conflict.column('object_key').doUpdateSet({ expires_at: expiresAt }))
    .execute();
  return orphans;
}

/** Deletes unreferenced blobs and subtracts them from the total. */
export async function deleteBlobs(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const throughId = await lockTotal(tx);
  const deleted = await tx
    .deleteFrom('blob')
    .where('id', 'in', ids)
    .where('reference_count', '=', 0)
    .returning(['id', 'size'])
    .execute();
  const counted = deleted.filter(({ id }) => id <= throughId);
  const bytes = counted.reduce((sum, { size }) => sum + size, 0);
  if (counted.length > 0) await addToTotal(tx, { throughId, objects: -counted.length, bytes: -bytes });
}
