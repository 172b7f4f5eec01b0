import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db } from '../../database/database.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import type { Entry } from '../tree/entry.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from '../tree/entry-queries.ts';

/** An entry with the object that holds its bytes; a directory has none. */
export interface DownloadableEntry {
  readonly entry: Entry;
  readonly place: ObjectLocation | null;
}

const COLUMNS = sql.raw(ENTRY_COLUMNS.join(', '));

export async function findDownloadable(
  db: Db,
  ownerId: number,
  id: number,
): Promise<DownloadableEntry | undefined> {
  // Written out, as everything that each download asks: built by the builder it costs as much as it takes to run.
  const { rows } = await sql<EntryRow & { object_key: string | null; policy_id: number | null }>`
    select ${COLUMNS}, blob.object_key, blob.policy_id
    from entry left join blob on blob.id = entry.blob_id
    where entry.id = ${id} and entry.owner_id = ${ownerId}
      and entry.deleted_at is null and entry.parent_id is not null`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { object_key: objectKey, policy_id: policyId } = row;
  const place = objectKey === null || policyId === null ? null : { objectKey, policyId };
  return { entry: toEntry(row), place };
}

export interface FileObject extends ObjectLocation {
  readonly blobId: number;
  readonly size: number;
  readonly contentType: string | null;
  readonly createdAt: Instant;
}

/** A file's object by its key, as signed addresses name it; not one whose removal has begun. */
export async function findFileObject(db: Db, objectKey: string): Promise<FileObject | undefined> {
  return selectFileObject(db).where('blob.object_key', '=', objectKey).executeTakeFirst();
}

/** The same by a key that it has had, for as long as the object is kept that it meant. */
export async function findMovedObject(db: Db, earlierKey: string): Promise<FileObject | undefined> {
  return selectFileObject(db)
    .innerJoin('blob_move', 'blob_move.blob_id', 'blob.id')
    .where('blob_move.source_key', '=', earlierKey)
    .executeTakeFirst();
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
