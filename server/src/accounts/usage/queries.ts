import { sql } from 'kysely';
import type { Db, Tx } from '../../database/database.ts';

/** The bytes and the number of live files. Negative for files that are removed. */
export interface Usage {
  readonly bytes: number;
  readonly files: number;
}

/** The limits of an owner and the used bytes. */
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
 * Adds to the owner's counters if the quota allows it, which also locks the owner's row until the transaction
 * ends. A change of 0 bytes or less is always allowed, even if the owner is over the quota.
 */
export async function changeUsage(tx: Tx, ownerId: number, { bytes, files }: Usage): Promise<boolean> {
  // Raw SQL, since it is the first write of every change to a drive and building it takes as long as running
  // it.
  const query =
    bytes <= 0
      ? sql`update account set storage_used_bytes = storage_used_bytes + ${bytes}, file_count = file_count + ${files}
          where id = ${ownerId}`
      : sql`update account set storage_used_bytes = storage_used_bytes + ${bytes}, file_count = file_count + ${files}
          where id = ${ownerId} and storage_used_bytes + ${bytes} <= storage_quota_bytes`;
  const { numAffectedRows } = await query.execute(tx);
  return numAffectedRows === 1n;
}
