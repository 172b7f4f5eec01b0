import type { Instant } from '../../base/clock.ts';
import type { Db } from '../../database/database.ts';
import type { ObjectLocation } from '../../policies/policies.ts';

interface FileObject extends ObjectLocation {
  readonly blobId: number;
  readonly size: number;
  readonly contentType: string | null;
  readonly createdAt: Instant;
}

/**
 * The object of a file by its key, which signed URLs contain. Does not find an object whose removal has
 * begun.
 */
export async function findFileObject(db: Db, objectKey: string): Promise<FileObject | undefined> {
  return selectFileObject(db).where('blob.object_key', '=', objectKey).executeTakeFirst();
}

/** Finds the object by the key that it had before a policy migration, as long as the old object is kept. */
export async function findMovedObject(db: Db, earlierKey: string): Promise<FileObject | undefined> {
  return selectFileObject(db)
    .innerJoin('blob_move', 'blob_move.blob_id', 'blob.id')
    .where('blob_move.source_key', '=', earlierKey)
    .executeTakeFirst();
}

/** The locations of the blobs, by blob id. */
export async function findLocations(
  db: Db,
  blobIds: readonly number[],
): Promise<ReadonlyMap<number, ObjectLocation>> {
  if (blobIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('blob')
    .select(['id', 'policy_id as policyId', 'object_key as objectKey'])
    .where('id', 'in', blobIds)
    .execute();
  return new Map(rows.map(({ id, ...location }) => [id, location]));
}

function selectFileObject(db: Db) {
  return db
    .selectFrom('blob')
    .select([
      'blob.id as blobId',
      'blob.policy_id as policyId',
      'blob.object_key as objectKey',
      'blob.size',
      'blob.content_type as contentType',
      'blob.created_at as createdAt',
    ])
    .where('blob.kind', '=', 'FILE')
    .where('blob.removing_at', 'is', null);
}
