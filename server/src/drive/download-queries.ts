import type { Instant } from '../base/clock.ts';
import type { Db } from '../database/database.ts';
import type { Entry } from './entry.ts';
import { ENTRY_COLUMNS, toEntry } from './entry-queries.ts';

/** An entry with the object that holds its bytes; a directory has none. */
export interface DownloadableEntry {
  readonly entry: Entry;
  readonly objectKey: string | null;
}

export async function findDownloadable(
  db: Db,
  ownerId: number,
  id: number,
): Promise<DownloadableEntry | undefined> {
  const row = await db
    .selectFrom('entry')
    .leftJoin('blob', 'blob.id', 'entry.blob_id')
    .select([...ENTRY_COLUMNS, 'blob.object_key'])
    .where('entry.id', '=', id)
    .where('entry.owner_id', '=', ownerId)
    .where('entry.deleted_at', 'is', null)
    .where('entry.parent_id', 'is not', null)
    .executeTakeFirst();
  return row && { entry: toEntry(row), objectKey: row.object_key };
}

/** A file's object by its key, as signed addresses name it; not one whose removal has begun. */
export async function findFileObject(
  db: Db,
  objectKey: string,
): Promise<{ blobId: number; size: number; contentType: string | null; createdAt: Instant } | undefined> {
  return db
    .selectFrom('blob')
    .select(['id as blobId', 'size', 'content_type as contentType', 'created_at as createdAt'])
    .where('object_key', '=', objectKey)
    .where('kind', '=', 'FILE')
    .where('removing_at', 'is', null)
    .executeTakeFirst();
}
