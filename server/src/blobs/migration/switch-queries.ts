import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { ObjectTotals, PolicyMigration } from './queries.ts';

/** The result of one batch of {@link switchBatchToCopies}. */
interface SwitchedBatch extends ObjectTotals {
  readonly lastId: number;
  /** A blob whose checksum, which was recorded meanwhile, differs from that of its copy. */
  readonly differing: number | undefined;
}

/**
 * Switches the next blobs to their copies. Blobs are locked in the order of their ids, like in all
 * transactions that lock several. A blob whose removal has begun stays at the source, where the sweeper
 * removes it, and its copy is marked as unused. Returns undefined when there are no copies after the id.
 */
export async function switchBatchToCopies(
  tx: Tx,
  migration: PolicyMigration,
  afterId: number,
  limit: number,
): Promise<SwitchedBatch | undefined> {
  const { id, sourcePolicyId, targetPolicyId } = migration;
  const { count, lastId } = await findPage(tx, id, afterId, limit);
  if (lastId === null) return undefined;
  const batch = sql`blob_move.relocation_id = ${id} and blob_move.blob_id > ${afterId}
    and blob_move.blob_id <= ${lastId}`;
  await tx
    .selectFrom('blob')
    .select('blob.id')
    .where('blob.id', '>', afterId)
    .where('blob.id', '<=', lastId)
    .where('blob.id', 'in', sql<number>`(select blob_id from blob_move where ${batch})`)
    .orderBy('blob.id')
    .forNoKeyUpdate()
    .execute();
  // The range of ids is stated for both tables, so that no engine without statistics reads all blobs for each
  // batch.
  const switchable = sql`blob.id = blob_move.blob_id and blob.id > ${afterId} and blob.id <= ${lastId}
    and blob.policy_id = ${sourcePolicyId}
    and blob.object_key = blob_move.source_key and blob.removing_at is null`;
  const { rows: switched } = await sql<{ size: number }>`
    update blob set policy_id = ${targetPolicyId}, object_key = blob_move.target_key,
      sha256 = blob_move.sha256, crc32 = coalesce(blob.crc32, blob_move.crc32)
    from blob_move
    where ${batch} and ${switchable} and (blob.sha256 is null or blob.sha256 = blob_move.sha256)
    returning blob.size`.execute(tx);
  const bytes = switched.reduce((sum, { size }) => sum + size, 0);
  const done = { objects: switched.length, bytes, lastId };
  if (switched.length === count) return { ...done, differing: undefined };
  const { rows: differing } = await sql<{ id: number }>`
    select blob.id from blob join blob_move on blob_move.blob_id = blob.id
    where ${batch} and ${switchable} limit 1`.execute(tx);
  await sql`update blob_move set unused = 1 where ${batch} and not exists
    (select 1 from blob where blob.id = blob_move.blob_id and blob.object_key = blob_move.target_key)`.execute(
    tx,
  );
  return { ...done, differing: differing[0]?.id };
}

async function findPage(
  tx: Tx,
  migrationId: number,
  afterId: number,
  limit: number,
): Promise<{ count: number; lastId: number | null }> {
  const { rows } = await sql<{ count: number; lastId: number | null }>`
    select count(*) as count, max(blob_id) as "lastId" from
    (select blob_id from blob_move where relocation_id = ${migrationId} and blob_id > ${afterId}
      order by blob_id limit ${limit}) as page`.execute(tx);
  return rows[0] ?? { count: 0, lastId: null };
}
