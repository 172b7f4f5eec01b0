import type { PolicyMigrationStatus } from '../../base/domain/policy-migrations.ts';
import type { Database } from '../../database/database.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { type OnFault, removeObjects } from '../object-removal.ts';
import { deleteCopies, findCopies, type LeftoverCopy, type PolicyMigration } from './queries.ts';

const BATCH = 500;

/** A migration that has ended, and the way to what it has left. */
export interface EndedMigration extends PolicyMigration {
  readonly status: PolicyMigrationStatus;
  readonly database: Pick<Database, 'db' | 'transact'>;
  readonly getStore: (policyId: number) => Promise<ObjectStore>;
}

/**
 * Removes the objects that have lost their use by the end of a migration, and forgets each with its last one. Gives how
 * many went.
 */
export async function removeLeftovers(
  left: EndedMigration,
  options: { readonly signal: AbortSignal; readonly onFault: OnFault },
): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    options.signal.throwIfAborted();
    const moves = await findCopies(left.database.db, left.id, after, BATCH);
    const last = moves.at(-1);
    if (last === undefined) return removed;
    after = last.blobId;
    const places = moves.flatMap((move) => listUnusedObjects(left, move));
    const stuck = new Set(await removeObjectsAt(left, places, options));
    const done = moves.filter((move) => !stuck.has(move.sourceKey) && !stuck.has(move.targetKey));
    await left.database.transact((tx) =>
      deleteCopies(
        tx,
        left.id,
        done.map((move) => move.blobId),
      ),
    );
    removed += places.length - stuck.size;
    // A store that lets go of nothing is out of reach: the rest would only wait for it too.
    if (done.length === 0) return removed;
  }
}

function listUnusedObjects(
  { status, sourcePolicyId, targetPolicyId }: EndedMigration,
  { sourceKey, targetKey, isUnused }: Pick<LeftoverCopy, 'sourceKey' | 'targetKey' | 'isUnused'>,
): readonly ObjectLocation[] {
  const source = { policyId: sourcePolicyId, objectKey: sourceKey };
  const target = { policyId: targetPolicyId, objectKey: targetKey };
  if (status !== 'SWITCHED') return [target];
  return isUnused ? [source, target] : [source];
}

/** Gives the keys of those that stay. */
async function removeObjectsAt(
  left: EndedMigration,
  places: readonly ObjectLocation[],
  options: { readonly signal: AbortSignal; readonly onFault: OnFault },
): Promise<readonly string[]> {
  const stuck: string[] = [];
  for (const [policyId, group] of Map.groupBy(places, (place) => place.policyId)) {
    const keys = group.map((place) => place.objectKey);
    try {
      const store = await left.getStore(policyId);
      stuck.push(...(await removeObjects(store, keys, options)));
    } catch (error) {
      options.signal.throwIfAborted();
      options.onFault(error, `open the store of policy ${policyId}`);
      stuck.push(...keys);
    }
  }
  return stuck;
}
