import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { IdRange } from '../row-check.ts';

/** Every column whose references to a blob are counted. A test compares the list with the schema. */
export const BLOB_REFERENCES = [
  ['entry', 'blob_id'],
  ['file_version', 'blob_id'],
  ['account', 'avatar_blob_id'],
  ['transfer_file', 'blob_id'],
  ['mobile_release', 'blob_id'],
] as const;

const REFERENCES = sql.join(
  BLOB_REFERENCES.map(
    ([table, column]) =>
      sql<number>`(select count(*) from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = blob.id)`,
  ),
  sql` + `,
);

/** A blob with the number of rows that refer to it. */
interface CheckedBlob {
  readonly id: number;
  readonly object_key: string;
  readonly policy_id: number;
  readonly reference_count: number;
  readonly unreferenced_at: Instant | null;
  readonly removing_at: Instant | null;
  readonly references: number;
  /** Null if the policy does not exist. */
  readonly known_policy_id: number | null;
}

export async function findBlobsToCheck(db: Db, { after, through }: IdRange): Promise<readonly CheckedBlob[]> {
  const { rows } = await sql<CheckedBlob>`
    select blob.id, blob.object_key, blob.policy_id, blob.reference_count, blob.unreferenced_at, blob.removing_at,
      ${REFERENCES} as "references", storage_policy.id as known_policy_id
    from blob left join storage_policy on storage_policy.id = blob.policy_id
    where blob.id > ${after} and blob.id <= ${through} order by blob.id`.execute(db);
  return rows;
}

/** Blocks transactions that add or remove references to the blob, until this one ends. */
export async function lockBlob(tx: Tx, id: number): Promise<void> {
  await sql`update blob set reference_count = reference_count where id = ${id}`.execute(tx);
}

/** If the count becomes 0, the blob's grace period begins now. */
export async function recountReferences(tx: Tx, id: number, now: Instant): Promise<void> {
  await sql`update blob set reference_count = ${REFERENCES},
    unreferenced_at = case when ${REFERENCES} = 0 then ${now} else unreferenced_at end
    where id = ${id}`.execute(tx);
}

export async function markUnreferenced(tx: Tx, id: number, now: Instant): Promise<void> {
  await sql`update blob set unreferenced_at = ${now} where id = ${id} and unreferenced_at is null`.execute(
    tx,
  );
}
