import { type Expression, sql } from 'kysely';
import type { ByteDigest } from '../base/bytes/byte-streams.ts';
import type { Instant } from '../base/clock.ts';
import type { BlobKind } from '../base/domain/blobs.ts';
import type { Db, Tx } from '../database/database.ts';
import type { ObjectLocation, StoredBytes } from '../policies/policies.ts';

export interface NewBlob extends StoredBytes {
  readonly kind: BlobKind;
  readonly contentType: string | null;
  readonly createdBy: number;
  readonly createdAt: Instant;
}

/** A select of blob ids and how many references to each are meant; other floors hand it in. */
export type ReferenceCounts = Expression<{ blob_id: number | null; uses: number }>;

/** The blob begins with the one reference that the caller's transaction makes. */
export async function insertBlob(tx: Tx, blob: NewBlob): Promise<number> {
  // Written out: every upload asks it.
  const { rows } = await sql<{ id: number }>`
    insert into blob (object_key, policy_id, kind, size, sha256, crc32, content_type, reference_count, created_by,
      created_at)
    values (${blob.objectKey}, ${blob.policyId}, ${blob.kind}, ${blob.size}, ${blob.sha256}, ${blob.crc32},
      ${blob.contentType}, 1, ${blob.createdBy}, ${blob.createdAt})
    returning id`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('A blob was inserted and has no id.');
  return row.id;
}

/** So many rows to a statement: more make no difference, and SQLite takes 32,766 parameters. */
const ROWS_AT_ONCE = 500;

/** As {@link insertBlob}; gives the ids in the order of the blobs. */
export async function insertBlobs(
  tx: Tx,
  blobs: readonly Omit<NewBlob, 'createdAt'>[],
  now: Instant,
): Promise<readonly number[]> {
  const idOf = new Map<string, number>();
  for (let at = 0; at < blobs.length; at += ROWS_AT_ONCE) {
    const rows = blobs.slice(at, at + ROWS_AT_ONCE).map(
      (blob) =>
        sql`(${blob.objectKey}, ${blob.policyId}, ${blob.kind}, ${blob.size}, ${blob.sha256}, ${blob.crc32},
            ${blob.contentType}, 1, ${blob.createdBy}, ${now})`,
    );
    const inserted = await sql<{ id: number; object_key: string }>`
      insert into blob (object_key, policy_id, kind, size, sha256, crc32, content_type, reference_count, created_by,
        created_at)
      values ${sql.join(rows)} returning id, object_key`.execute(tx);
    // In which order the rows are returned no engine promises.
    for (const { id, object_key: key } of inserted.rows) idOf.set(key, id);
  }
  return blobs.map(({ objectKey }) => {
    const id = idOf.get(objectKey);
    if (id === undefined) throw new Error('A blob was inserted and has no id.');
    return id;
  });
}

/**
 * Counts more references to blobs. False when the removal of one of them has begun: then the caller's transaction is to
 * be given up.
 */
export async function addReferences(tx: Tx, counts: ReferenceCounts): Promise<boolean> {
  const { named, locked } = await lockCounted(tx, counts);
  if (locked < named) return false;
  await tx
    .updateTable('blob')
    .from(toCounted(counts))
    .set({ reference_count: sql`blob.reference_count + counted.uses` })
    .whereRef('blob.id', '=', 'counted.blob_id')
    .execute();
  return true;
}

/** The same for one blob, without holding others. */
export async function addReference(tx: Tx, blobId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update blob set reference_count = reference_count + 1
    where id = ${blobId} and removing_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

/** Counts fewer references; a blob that comes to 0 is marked, and the sweeper takes it after the grace time. */
export async function dropReferences(tx: Tx, counts: ReferenceCounts, now: Instant): Promise<void> {
  await lockCounted(tx, counts);
  await tx
    .updateTable('blob')
    .from(toCounted(counts))
    .set({
      reference_count: sql`blob.reference_count - counted.uses`,
      unreferenced_at: sql`case when blob.reference_count = counted.uses then ${now}
        else blob.unreferenced_at end`,
    })
    .whereRef('blob.id', '=', 'counted.blob_id')
    .execute();
}

/**
 * Holds the blobs in the order of their ids. The same blobs may be referred to from many drives: two transactions that
 * came by them in different orders would wait for one another.
 */
async function lockCounted(tx: Tx, counts: ReferenceCounts): Promise<{ named: number; locked: number }> {
  const blobs = tx
    .selectFrom('blob')
    .select('blob.id')
    .where('blob.id', 'in', sql<number>`(select blob_id from counted)`)
    .where('blob.removing_at', 'is', null)
    .orderBy('blob.id')
    .forNoKeyUpdate();
  const { rows } = await sql<{ named: number; locked: number }>`
    with counted as ${counts}, locked as ${blobs}
    select (select count(*) from counted) as named, (select count(*) from locked) as locked`.execute(tx);
  return rows[0] ?? { named: 0, locked: 0 };
}

export async function dropReference(tx: Tx, blobId: number, now: Instant): Promise<void> {
  await tx
    .updateTable('blob')
    .set({
      reference_count: sql`reference_count - 1`,
      unreferenced_at: sql`case when reference_count = 1 then ${now} else unreferenced_at end`,
    })
    .where('id', '=', blobId)
    .execute();
}

/** Of these keys, those that a blob has, with the policy in whose store it means them. */
export async function findKnownKeys(
  db: Db,
  keys: readonly string[],
): Promise<readonly { objectKey: string; policyId: number }[]> {
  return db
    .selectFrom('blob')
    .select(['object_key as objectKey', 'policy_id as policyId'])
    .where('object_key', 'in', keys)
    .execute();
}

/** A blob whose bytes nobody has hashed. */
export interface UncheckedBlob extends ObjectLocation {
  readonly id: number;
  /** Bytes. */
  readonly size: number;
}

/** The oldest one behind the id that is not being removed. */
export async function findUncheckedBlob(db: Db, afterId: number): Promise<UncheckedBlob | undefined> {
  return db
    .selectFrom('blob')
    .select(['id', 'policy_id as policyId', 'object_key as objectKey', 'size'])
    .where('sha256', 'is', null)
    .where('removing_at', 'is', null)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

export async function isUnchecked(db: Db, blob: UncheckedBlob): Promise<boolean> {
  const row = await db
    .selectFrom('blob')
    .select('id')
    .where('id', '=', blob.id)
    .where('object_key', '=', blob.objectKey)
    .where('sha256', 'is', null)
    .where('removing_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** False when somebody else has recorded them, or the blob is gone or being removed. */
export async function recordChecksums(
  tx: Tx,
  blob: UncheckedBlob,
  { sha256, crc32 }: Pick<ByteDigest, 'sha256' | 'crc32'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('blob')
    .set({ sha256, crc32 })
    .where('id', '=', blob.id)
    .where('object_key', '=', blob.objectKey)
    .where('sha256', 'is', null)
    .where('removing_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function toCounted(counts: ReferenceCounts) {
  return sql<{ blob_id: number | null; uses: number }>`${counts}`.as<'counted'>(sql.ref('counted'));
}
