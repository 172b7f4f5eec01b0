import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../database/database.ts';
import { addToTotal, lockTotal } from '../total/queries.ts';

/** The position of a pass over the unreferenced blobs, which go in this order. */
export interface RemovalCursor {
  readonly unreferencedAt: Instant;
  readonly id: number;
}

export interface RemovableBlob extends RemovalCursor {
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
