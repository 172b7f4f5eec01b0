import { type Expression, sql } from 'kysely';
import type { ByteDigest } from '../base/bytes/byte-streams.ts';
import type { Instant } from '../base/clock.ts';
import type { BlobKind } from '../base/domain/storage.ts';
import { CompiledOnce } from '../database/compiled-once.ts';
import type { Db, Tx } from '../database/database.ts';
import type { ObjectLocation, StoredBytes } from '../policies/policies.ts';

/** The `created_by` of blobs that no account has stored. No account has this id. */
const NO_ACCOUNT = 0;

export interface NewBlob extends StoredBytes {
  readonly kind: BlobKind;
  readonly contentType: string | null;
  /** Null for the system. */
  readonly createdBy: number | null;
  readonly createdAt: Instant;
}

/** A query that selects blob ids and a number of references to each. Features pass in their own. */
export type ReferenceCounts = Expression<{ blob_id: number | null; uses: number }>;

/** Inserts a blob with one reference, which the caller's transaction makes. Returns its id. */
export async function insertBlob(tx: Tx, blob: NewBlob): Promise<number> {
  const row = await INSERT_BLOB.findFirst(tx, { ...blob, createdBy: blob.createdBy ?? NO_ACCOUNT });
  if (row === undefined) throw new Error('The inserted blob has no id.');
  return row.id;
}

const INSERT_BLOB = new CompiledOnce<NewBlob, { id: number }>((db, value) =>
  sql<{ id: number }>`
    insert into blob (object_key, policy_id, kind, size, sha256, crc32, content_type, reference_count, created_by,
      created_at)
    values (${value('objectKey')}, ${value('policyId')}, ${value('kind')}, ${value('size')}, ${value('sha256')},
      ${value('crc32')}, ${value('contentType')}, 1, ${value('createdBy')}, ${value('createdAt')})
    returning id`.compile(db),
);

/** Rows per statement. More are not faster, and SQLite allows 32,766 parameters. */
const INSERT_BATCH = 500;

/** Inserts blobs as {@link insertBlob} does. Returns the ids in the order of the blobs. */
export async function insertBlobs(
  tx: Tx,
  blobs: readonly Omit<NewBlob, 'createdAt'>[],
  now: Instant,
): Promise<readonly number[]> {
  const idOf = new Map<string, number>();
  for (let start = 0; start < blobs.length; start += INSERT_BATCH) {
    const rows = blobs.slice(start, start + INSERT_BATCH).map(
      (blob) =>
        sql`(${blob.objectKey}, ${blob.policyId}, ${blob.kind}, ${blob.size}, ${blob.sha256}, ${blob.crc32},
            ${blob.contentType}, 1, ${blob.createdBy ?? NO_ACCOUNT}, ${now})`,
    );
    const inserted = await sql<{ id: number; object_key: string }>`
      insert into blob (object_key, policy_id, kind, size, sha256, crc32, content_type, reference_count, created_by,
        created_at)
      values ${sql.join(rows)} returning id, object_key`.execute(tx);
    // No engine guarantees the order of the returned rows.
    for (const { id, object_key: key } of inserted.rows) idOf.set(key, id);
  }
  return blobs.map(({ objectKey }) => {
    const id = idOf.get(objectKey);
    if (id === undefined) throw new Error('The inserted blob has no id.');
    return id;
  });
}

/** At most this many keys in one statement; SQLite allows 32,766 parameters. */
const KEY_BATCH = 10_000;

/** Whether a sweep has removed one of these objects. */
export async function hasRemoved(tx: Tx, keys: readonly string[]): Promise<boolean> {
  for (let start = 0; start < keys.length; start += KEY_BATCH) {
    const removed = await tx
      .selectFrom('removed_object')
      .select('object_key')
      .where('object_key', 'in', keys.slice(start, start + KEY_BATCH))
      .limit(1)
      .executeTakeFirst();
    if (removed !== undefined) return true;
  }
  return false;
}

/**
 * Adds references to blobs. Returns false, without a change, when the removal of one of them has begun: the
 * caller's transaction must then be rolled back.
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

/** Adds one reference to a blob. Returns false when its removal has begun. */
export async function addReference(tx: Tx, blobId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update blob set reference_count = reference_count + 1
    where id = ${blobId} and removing_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * Subtracts references. A blob without references is marked, and the sweeper removes it after the grace time.
 */
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
 * Locks the blobs in the order of their ids. Several drives may refer to the same blobs, and two transactions
 * that lock them in different orders would deadlock.
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

export async function findSha256(db: Db, blobId: number): Promise<string | null> {
  const row = await db.selectFrom('blob').select('sha256').where('id', '=', blobId).executeTakeFirst();
  return row?.sha256 ?? null;
}

/** The keys that belong to a blob, each with the policy of the blob. */
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

/** A blob without checksums. */
export interface UncheckedBlob extends ObjectLocation {
  readonly id: number;
  /** Bytes. */
  readonly size: number;
}

/** The first blob after the id that has no checksums and is not being removed. */
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

/** Whether the blob still has no checksums, is at the same location and is not being removed. */
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

/** Returns false when the checksums are recorded already, or the blob is gone, migrated or being removed. */
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
