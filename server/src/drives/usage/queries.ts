import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db, Tx } from '../../database/database.ts';

/**
 * The size and number of live files, and the number of entries: all files and directories, including those in
 * the recycle bin. Negative if something is removed.
 */
export interface Usage {
  readonly bytes: number;
  readonly files: number;
  readonly entries: number;
  /** The size of the recycle bin and of former versions; 0 by default. */
  readonly keptBytes?: number;
}

/** An owner's limits and current usage. */
interface OwnerLimits {
  readonly quotaBytes: number;
  readonly usedBytes: number;
  readonly maxEntries: number;
  readonly entryCount: number;
  readonly maxUploadBytes: number;
}

export async function findLimits(db: Db, ownerId: number): Promise<OwnerLimits | undefined> {
  return LIMITS.findFirst(db, { ownerId });
}

const LIMITS = new CompiledOnce<{ ownerId: number }, OwnerLimits>((db, value) =>
  db
    .selectFrom('account')
    .select([
      'storage_quota_bytes as quotaBytes',
      'storage_used_bytes as usedBytes',
      'max_entries as maxEntries',
      'entry_count as entryCount',
      'max_upload_size_bytes as maxUploadBytes',
    ])
    .where('id', '=', value('ownerId'))
    .compile(),
);

/**
 * Adds to the owner's counters if the limits allow it, which also locks the owner's row until the transaction
 * ends. Only counters that grow are checked, so an owner who is over a limit can still remove things.
 */
export async function changeUsage(tx: Tx, ownerId: number, usage: Usage): Promise<boolean> {
  const statement =
    usage.bytes > 0
      ? usage.entries > 0
        ? CHANGES.withMoreOfBoth
        : CHANGES.withMoreBytes
      : usage.entries > 0
        ? CHANGES.withMoreEntries
        : CHANGES.unchecked;
  const { numAffectedRows } = await statement.run(tx, { ownerId, keptBytes: 0, ...usage });
  return numAffectedRows === 1n;
}

/**
 * The number of bytes by which the recycle bin and the former versions exceed their limit, which equals the
 * quota. The transaction must have locked the drive.
 */
export async function findKeptExcess(tx: Tx, ownerId: number): Promise<number> {
  const row = await tx
    .selectFrom('account')
    .select(sql<number>`kept_bytes - storage_quota_bytes`.as('excess'))
    .where('id', '=', ownerId)
    .executeTakeFirst();
  return row?.excess ?? 0;
}

/** Adds to the owner's counters, regardless of the limits. */
export async function changeUsageUnchecked(tx: Tx, ownerId: number, usage: Usage): Promise<boolean> {
  const { numAffectedRows } = await CHANGES.unchecked.run(tx, { ownerId, keptBytes: 0, ...usage });
  return numAffectedRows === 1n;
}

/** Limits of a drive that an administrator changes; missing ones stay the same. */
export interface NewLimits {
  readonly quotaBytes?: number;
  readonly maxUploadBytes?: number;
  readonly maxEntries?: number;
}

export async function setLimits(
  tx: Tx,
  ownerId: number,
  { quotaBytes, maxUploadBytes, maxEntries }: NewLimits,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({
      ...(quotaBytes === undefined ? {} : { storage_quota_bytes: quotaBytes }),
      ...(maxUploadBytes === undefined ? {} : { max_upload_size_bytes: maxUploadBytes }),
      ...(maxEntries === undefined ? {} : { max_entries: maxEntries }),
      updated_at: now,
    })
    .where('id', '=', ownerId)
    .execute();
}

const NO_CONDITION = sql``;

/** One of these statements is the first write of every change to a drive. */
const CHANGES = {
  withMoreOfBoth: toChange({ bytes: true, entries: true }),
  withMoreBytes: toChange({ bytes: true, entries: false }),
  withMoreEntries: toChange({ bytes: false, entries: true }),
  unchecked: toChange({ bytes: false, entries: false }),
};

/** @param limits which of the limits must be checked */
function toChange(limits: { readonly bytes: boolean; readonly entries: boolean }) {
  return new CompiledOnce<Required<Usage> & { readonly ownerId: number }>((db, value) => {
    const fitsQuota = limits.bytes
      ? sql`and storage_used_bytes + ${value('bytes')} <= storage_quota_bytes`
      : NO_CONDITION;
    const fitsEntries = limits.entries
      ? sql`and entry_count + ${value('entries')} <= max_entries`
      : NO_CONDITION;
    return sql`
      update account set storage_used_bytes = storage_used_bytes + ${value('bytes')},
        file_count = file_count + ${value('files')}, entry_count = entry_count + ${value('entries')},
        kept_bytes = kept_bytes + ${value('keptBytes')}
      where id = ${value('ownerId')} ${fitsQuota} ${fitsEntries}`.compile(db);
  });
}
