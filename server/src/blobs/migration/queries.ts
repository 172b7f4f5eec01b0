import { type Selectable, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { PolicyMigrationStatus } from '../../base/domain/storage.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { PolicyMigrationTable } from '../../database/tables/blobs.ts';

export interface PolicyMigration {
  readonly id: number;
  readonly taskId: number;
  readonly sourcePolicyId: number;
  readonly targetPolicyId: number;
  /** The newest blob when the migration began; later blobs are not migrated. */
  readonly lastBlobId: number;
}

/** A number of objects and the sum of their bytes. */
export interface ObjectTotals {
  readonly objects: number;
  readonly bytes: number;
}

/** A blob to copy. */
export interface SourceBlob {
  readonly blobId: number;
  readonly sourceKey: string;
  /** Bytes. */
  readonly size: number;
  /** The checksum in the blob's row; null if it has none. */
  readonly sha256: string | null;
}

export interface BlobCopy extends SourceBlob {
  readonly targetKey: string;
}

export interface CopiedBlob extends BlobCopy {
  readonly sha256: string;
  readonly crc32: number;
}

/** The migration that is copying, if any. */
export async function findActiveMigration(db: Db): Promise<PolicyMigration | undefined> {
  const row = await db
    .selectFrom('blob_relocation')
    .selectAll()
    .where('status', '=', 'COPYING')
    .executeTakeFirst();
  return row && toMigration(row);
}

/** Inserts a migration. Returns undefined when another one is active. */
export async function insertMigration(
  tx: Tx,
  plan: Pick<PolicyMigration, 'taskId' | 'sourcePolicyId' | 'targetPolicyId'>,
  now: Instant,
): Promise<PolicyMigration | undefined> {
  // Locks the policies, so that a change of their locations is committed before, or sees this migration.
  await tx
    .selectFrom('storage_policy')
    .select('id')
    .where('id', 'in', [plan.sourcePolicyId, plan.targetPolicyId])
    .orderBy('id')
    .forShare()
    .execute();
  const newest = await tx
    .selectFrom('blob')
    .select((select) => select.fn.max('id').as('id'))
    .executeTakeFirst();
  const row = await tx
    .insertInto('blob_relocation')
    .values({
      task_id: plan.taskId,
      source_policy_id: plan.sourcePolicyId,
      target_policy_id: plan.targetPolicyId,
      last_blob_id: newest?.id ?? 0,
      status: 'COPYING',
      clean_after: now,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('status').where(sql<boolean>`status = 'COPYING'`).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && toMigration(row);
}

/** Locks a migration until the transaction ends. Returns false when it is no longer copying. */
export async function lockActiveMigration(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('blob_relocation')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'COPYING')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the copying of a migration. Returns false when it has ended already. */
export async function endCopying(
  tx: Tx,
  id: number,
  status: Exclude<PolicyMigrationStatus, 'COPYING'>,
  removeLeftoversAfter: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('blob_relocation')
    .set({ status, clean_after: removeLeftoversAfter })
    .where('id', '=', id)
    .where('status', '=', 'COPYING')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ended migrations whose leftover objects may be removed now. */
export async function findMigrationsToClean(
  db: Db,
  now: Instant,
): Promise<readonly (PolicyMigration & { readonly status: PolicyMigrationStatus })[]> {
  const rows = await db
    .selectFrom('blob_relocation')
    .selectAll()
    .where('status', '!=', 'COPYING')
    .where('clean_after', '<=', now)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...toMigration(row), status: row.status }));
}

/** Deletes an ended migration, unless it still has rows of copies. */
export async function deleteMigration(tx: Tx, id: number): Promise<void> {
  await tx
    .deleteFrom('blob_relocation')
    .where('id', '=', id)
    .where('status', '!=', 'COPYING')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('blob_move').select('blob_id').where('relocation_id', '=', id))),
    )
    .execute();
}

type Span = Pick<PolicyMigration, 'sourcePolicyId' | 'lastBlobId'>;

/** The next blobs to copy after the id. */
export async function findBlobsToCopy(
  db: Db,
  { sourcePolicyId, lastBlobId }: Span,
  afterId: number,
  limit: number,
): Promise<readonly SourceBlob[]> {
  return db
    .selectFrom('blob')
    .select(['id as blobId', 'object_key as sourceKey', 'size', 'sha256'])
    .where('policy_id', '=', sourcePolicyId)
    .where('removing_at', 'is', null)
    .where('id', '>', afterId)
    .where('id', '<=', lastBlobId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Sums the blobs to copy among the next `limit` blobs of all policies after the id. `lastId` is null if there
 * are none.
 */
export async function sumBlobsToCopy(
  db: Db,
  { sourcePolicyId, lastBlobId }: Span,
  afterId: number,
  limit: number,
): Promise<ObjectTotals & { readonly largest: number; readonly lastId: number | null }> {
  const counted = sql<number>`case when policy_id = ${sourcePolicyId} and removing_at is null then size end`;
  const { rows } = await sql<ObjectTotals & { largest: number; lastId: number | null }>`
    select count(${counted}) as objects, cast(coalesce(sum(${counted}), 0) as bigint) as bytes,
      coalesce(max(${counted}), 0) as largest, max(id) as "lastId"
    from (select id, policy_id, size, removing_at from blob
      where id > ${afterId} and id <= ${lastBlobId} order by id limit ${limit}) as page`.execute(db);
  return rows[0] ?? { objects: 0, bytes: 0, largest: 0, lastId: null };
}

/** Whether the blob is still stored under its source key and is not being removed. */
export async function isCopyable(db: Db, { blobId, sourceKey }: SourceBlob): Promise<boolean> {
  const row = await db
    .selectFrom('blob')
    .select('id')
    .where('id', '=', blobId)
    .where('object_key', '=', sourceKey)
    .where('removing_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records copies, before their first bytes are written. */
export async function insertCopies(tx: Tx, migrationId: number, copies: readonly BlobCopy[]): Promise<void> {
  await tx
    .insertInto('blob_move')
    .values(copies.map((copy) => ({ ...toColumns(migrationId, copy), copied: 0 as const })))
    .execute();
}

/** Marks copies as verified, with their checksums. */
export async function recordCopies(
  tx: Tx,
  migrationId: number,
  copies: readonly CopiedBlob[],
): Promise<void> {
  if (copies.length === 0) return;
  await tx
    .insertInto('blob_move')
    .values(
      copies.map((copy) => ({
        ...toColumns(migrationId, copy),
        sha256: copy.sha256,
        crc32: copy.crc32,
        copied: 1 as const,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['relocation_id', 'blob_id']).doUpdateSet((set) => ({
        sha256: set.ref('excluded.sha256'),
        crc32: set.ref('excluded.crc32'),
        copied: 1,
      })),
    )
    .execute();
}

function toColumns(migrationId: number, { blobId, sourceKey, targetKey, size }: BlobCopy) {
  return {
    relocation_id: migrationId,
    blob_id: blobId,
    source_key: sourceKey,
    target_key: targetKey,
    size,
    unused: 0 as const,
  };
}

export async function deleteCopies(tx: Tx, migrationId: number, blobIds: readonly number[]): Promise<void> {
  if (blobIds.length === 0) return;
  await tx
    .deleteFrom('blob_move')
    .where('relocation_id', '=', migrationId)
    .where('blob_id', 'in', blobIds)
    .execute();
}

/** Copies that are not marked as verified. */
export async function findUnfinishedCopies(
  db: Db,
  migrationId: number,
  limit: number,
): Promise<readonly { readonly blobId: number; readonly targetKey: string }[]> {
  return db
    .selectFrom('blob_move')
    .select(['blob_id as blobId', 'target_key as targetKey'])
    .where('relocation_id', '=', migrationId)
    .where('copied', '=', 0)
    .orderBy('blob_id')
    .limit(limit)
    .execute();
}

export async function sumCopied(
  db: Db,
  migrationId: number,
): Promise<ObjectTotals & { readonly lastId: number }> {
  return db
    .selectFrom('blob_move')
    .select([
      (select) => select.fn.countAll<number>().as('objects'),
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'),
      sql<number>`coalesce(max(blob_id), 0)`.as('lastId'),
    ])
    .where('relocation_id', '=', migrationId)
    .where('copied', '=', 1)
    .executeTakeFirstOrThrow();
}

export interface LeftoverCopy extends BlobCopy {
  /** Whether the blob did not switch to its copy, because it was being removed. */
  readonly isUnused: boolean;
}

export async function findCopies(
  db: Db,
  migrationId: number,
  afterBlobId: number,
  limit: number,
): Promise<readonly Omit<LeftoverCopy, 'sha256'>[]> {
  const rows = await db
    .selectFrom('blob_move')
    .select(['blob_id', 'source_key', 'target_key', 'size', 'unused'])
    .where('relocation_id', '=', migrationId)
    .where('blob_id', '>', afterBlobId)
    .orderBy('blob_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    blobId: row.blob_id,
    sourceKey: row.source_key,
    targetKey: row.target_key,
    size: row.size,
    isUnused: row.unused === 1,
  }));
}

/** The keys that belong to objects of migrations, as a source or a copy. */
export async function findClaimedKeys(db: Db, keys: readonly string[]): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom('blob_move')
    .select('source_key as key')
    .where('source_key', 'in', keys)
    .unionAll(db.selectFrom('blob_move').select('target_key as key').where('target_key', 'in', keys))
    .execute();
  return rows.map((row) => row.key);
}

function toMigration(row: Selectable<PolicyMigrationTable>): PolicyMigration {
  return {
    id: row.id,
    taskId: row.task_id,
    sourcePolicyId: row.source_policy_id,
    targetPolicyId: row.target_policy_id,
    lastBlobId: row.last_blob_id,
  };
}
