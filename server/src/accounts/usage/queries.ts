import { sql } from 'kysely';
import type { Db, Tx } from '../../database/database.ts';

/** What live files take: their bytes, each in full, and how many there are. Below 0 for what goes. */
export interface Usage {
  readonly bytes: number;
  readonly files: number;
}

/** What an owner may store, and how much of it is taken. */
export interface Allowance {
  readonly quotaBytes: number;
  readonly usedBytes: number;
  readonly maxUploadBytes: number;
}

export async function findAllowance(db: Db, ownerId: number): Promise<Allowance | undefined> {
  return db
    .selectFrom('account')
    .select([
      'storage_quota_bytes as quotaBytes',
      'storage_used_bytes as usedBytes',
      'max_upload_size_bytes as maxUploadBytes',
    ])
    .where('id', '=', ownerId)
    .executeTakeFirst();
}

/**
 * Adds to the owner's counters where the quota allows it, and thereby holds the owner's row until the end of the
 * transaction. Nothing more to store (0 bytes or less) always fits, even for an owner who is over the quota.
 */
export async function changeUsage(tx: Tx, ownerId: number, { bytes, files }: Usage): Promise<boolean> {
  // Written out: it is the first write of every change of a drive.
  const query =
    bytes <= 0
      ? sql`update account set storage_used_bytes = storage_used_bytes + ${bytes}, file_count = file_count + ${files}
          where id = ${ownerId}`
      : sql`update account set storage_used_bytes = storage_used_bytes + ${bytes}, file_count = file_count + ${files}
          where id = ${ownerId} and storage_used_bytes + ${bytes} <= storage_quota_bytes`;
  const { numAffectedRows } = await query.execute(tx);
  return numAffectedRows === 1n;
}
