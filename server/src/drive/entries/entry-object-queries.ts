import { sql } from 'kysely';
import type { Db } from '../../database/database.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import type { Entry } from './entry.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from './entry-queries.ts';

/** An entry and the object that stores its bytes; null for a directory. */
export interface EntryWithObject {
  readonly entry: Entry;
  readonly location: ObjectLocation | null;
}

const COLUMNS = sql.raw(ENTRY_COLUMNS.join(', '));

export async function findEntryWithObject(
  db: Db,
  ownerId: number,
  id: number,
): Promise<EntryWithObject | undefined> {
  // Raw SQL, like the other statements of a download: building it with Kysely takes as long as running it.
  const { rows } = await sql<EntryRow & { object_key: string | null; policy_id: number | null }>`
    select ${COLUMNS}, blob.object_key, blob.policy_id
    from entry left join blob on blob.id = entry.blob_id
    where entry.id = ${id} and entry.owner_id = ${ownerId}
      and entry.deleted_at is null and entry.parent_id is not null`.execute(db);
  const [row] = rows;
  return row && { entry: toEntry(row), location: toObjectLocation(row) };
}

/** The location of an entry's bytes; null for a directory. */
export function toObjectLocation(row: {
  policy_id: number | null;
  object_key: string | null;
}): ObjectLocation | null {
  const { policy_id: policyId, object_key: objectKey } = row;
  return policyId === null || objectKey === null ? null : { policyId, objectKey };
}
