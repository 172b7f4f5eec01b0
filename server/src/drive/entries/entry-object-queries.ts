import { sql } from 'kysely';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db } from '../../database/database.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import type { Entry } from './entry.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from './entry-queries.ts';

/** An entry and the object that stores its bytes; null for a directory. */
export interface EntryWithObject {
  readonly entry: Entry;
  readonly location: ObjectLocation | null;
}

export async function findEntryWithObject(
  db: Db,
  driveId: number,
  id: number,
): Promise<EntryWithObject | undefined> {
  const row = await ENTRY_WITH_OBJECT.findFirst(db, { driveId, id });
  return row && { entry: toEntry(row), location: toObjectLocation(row) };
}

type Row = EntryRow & { readonly object_key: string | null; readonly policy_id: number | null };

const ENTRY_WITH_OBJECT = new CompiledOnce<{ driveId: number; id: number }, Row>((db, value) =>
  sql<Row>`
    select ${sql.raw(ENTRY_COLUMNS.join(', '))}, blob.object_key, blob.policy_id
    from entry left join blob on blob.id = entry.blob_id
    where entry.id = ${value('id')} and entry.drive_id = ${value('driveId')}
      and entry.deleted_at is null and entry.parent_id is not null`.compile(db),
);

/** The location of an entry's bytes; null for a directory. */
export function toObjectLocation(row: {
  policy_id: number | null;
  object_key: string | null;
}): ObjectLocation | null {
  const { policy_id: policyId, object_key: objectKey } = row;
  return policyId === null || objectKey === null ? null : { policyId, objectKey };
}
