import type { PolicyMigrationStatus } from '../../base/domain/storage.ts';
import type { Database } from '../../database/database.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { type OnFault, removeObjects } from '../object-removal.ts';
import { deleteCopies, findCopies, type LeftoverCopy, type PolicyMigration } from './queries.ts';

const BATCH = 500;

/** A migration that has ended, with access to the objects that it left. */
interface EndedMigration extends PolicyMigration {
  readonly status: PolicyMigrationStatus;
  readonly database: Pick<Database, 'db' | 'transact'>;
  readonly getStore: (policyId: number) => Promise<ObjectStore>;
}

/**
 * Removes the objects that a migration left: the old objects if it was completed, the copies if it was
 * abandoned. Deletes the row of a copy once its objects are removed. Returns the number of removed objects.
 */
export async function removeLeftovers(
  migration: EndedMigration,
  options: { readonly signal: AbortSignal; readonly onFault: OnFault },
): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    options.signal.throwIfAborted();
    const copies = await findCopies(migration.database.db, migration.id, after, BATCH);
    const last = copies.at(-1);
    if (last === undefined) return removed;
    after = last.blobId;
    const objects = copies.flatMap((copy) => listUnusedObjects(migration, copy));
    const notRemoved = new Set(await removeLeftoverObjects(migration, objects, options));
    const done = copies.filter((copy) => !notRemoved.has(copy.sourceKey) && !notRemoved.has(copy.targetKey));
    await migration.database.transact((tx) =>
      deleteCopies(
        tx,
        migration.id,
        done.map((copy) => copy.blobId),
      ),
    );
    removed += objects.length - notRemoved.size;
    // If nothing at all can be removed, the store is unavailable, and the other objects would only wait for
    // it too.
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

/** Returns the keys of the objects that could not be removed. */
async function removeLeftoverObjects(
  migration: EndedMigration,
  objects: readonly ObjectLocation[],
  options: { readonly signal: AbortSignal; readonly onFault: OnFault },
): Promise<readonly string[]> {
  const notRemoved: string[] = [];
  for (const [policyId, group] of Map.groupBy(objects, (object) => object.policyId)) {
    const keys = group.map((object) => object.objectKey);
    try {
      const store = await migration.getStore(policyId);
      notRemoved.push(...(await removeObjects(store, keys, options)));
    } catch (error) {
      options.signal.throwIfAborted();
      options.onFault(error, `open the store of policy ${policyId}`);
      notRemoved.push(...keys);
    }
  }
  return notRemoved;
}
