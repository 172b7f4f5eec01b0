import { sql } from 'kysely';
import type { Db, Tx } from '../../database/database.ts';

/**
 * The bytes and the number of live files, and the number of entries: files and directories, live ones and those
 * in the recycle bin. Negative for what is removed.
 */
export interface Usage {
  readonly bytes: number;
  readonly files: number;
  readonly entries: number;
}

/** The limits of an owner and what is used of them. */
export interface Allowance {
  readonly quotaBytes: number;
  readonly usedBytes: number;
  readonly maxEntries: number;
  readonly entryCount: number;
  readonly maxUploadBytes: number;
}

export async function findAllowance(db: Db, ownerId: number): Promise<Allowance | undefined> {
  return db
    .selectFrom('account')
    .select([
      'storage_quota_bytes as quotaBytes',
      'storage_used_bytes as usedBytes',
      'max_entries as maxEntries',
      'entry_count as entryCount',
      'max_upload_size_bytes as maxUploadBytes',
    ])
    .where('id', '=', ownerId)
    .executeTakeFirst();
}

/**
 * Adds to the owner's counters if the limits allow it, which also locks the owner's row until the transaction
 * ends. What does not grow is not checked, so that an owner who is over a limit can still remove things.
 */
export async function changeUsage(tx: Tx, ownerId: number, usage: Usage): Promise<boolean> {
  const { bytes, files, entries } = usage;
  // Raw SQL, since it is the first write of every change to a drive and building it takes as long as running
  // it.
  const fitsQuota = bytes > 0 ? sql`and storage_used_bytes + ${bytes} <= storage_quota_bytes` : NO_CONDITION;
  const fitsEntries = entries > 0 ? sql`and entry_count + ${entries} <= max_entries` : NO_CONDITION;
  const { numAffectedRows } = await sql`
    update account set storage_used_bytes = storage_used_bytes + ${bytes}, file_count = file_count + ${files},
      entry_count = entry_count + ${entries}
    where id = ${ownerId} ${fitsQuota} ${fitsEntries}`.execute(tx);
  return numAffectedRows === 1n;
}

const NO_CONDITION = sql``;
