import { sql } from 'kysely';
import type { DriveKind } from '../../base/domain/drives.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { DriveLimits } from '../queries.ts';

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

/** A drive's limits and current usage. */
interface LimitsAndUsage {
  readonly quotaBytes: number;
  readonly usedBytes: number;
  readonly maxEntries: number;
  readonly entryCount: number;
  readonly maxUploadBytes: number;
}

export async function findLimits(db: Db, driveId: number): Promise<LimitsAndUsage | undefined> {
  return LIMITS.findFirst(db, { driveId });
}

const LIMITS = new CompiledOnce<{ driveId: number }, LimitsAndUsage>((db, value) =>
  db
    .selectFrom('drive')
    .select([
      'quota_bytes as quotaBytes',
      'used_bytes as usedBytes',
      'max_entries as maxEntries',
      'entry_count as entryCount',
      'max_upload_bytes as maxUploadBytes',
    ])
    .where('id', '=', value('driveId'))
    .compile(),
);

/**
 * Adds to the drive's counters if the limits allow it, which also locks the drive's row until the transaction
 * ends. Returns undefined if they do not. Only counters that grow are checked, so things can still be removed from a drive that is over a limit.
 */
export async function changeUsage(tx: Tx, driveId: number, usage: Usage): Promise<DriveKind | undefined> {
  const statement =
    usage.bytes > 0
      ? usage.entries > 0
        ? CHANGES.withMoreOfBoth
        : CHANGES.withMoreBytes
      : usage.entries > 0
        ? CHANGES.withMoreEntries
        : CHANGES.unchecked;
  const changed = await statement.findFirst(tx, { driveId, keptBytes: 0, ...usage });
  return changed?.kind;
}

/**
 * The number of bytes by which the recycle bin and the former versions exceed their limit, which equals the
 * quota. The transaction must have locked the drive.
 */
export async function findKeptExcess(tx: Tx, driveId: number): Promise<number> {
  const row = await tx
    .selectFrom('drive')
    .select(sql<number>`kept_bytes - quota_bytes`.as('excess'))
    .where('id', '=', driveId)
    .executeTakeFirst();
  return row?.excess ?? 0;
}

/** Adds to the drive's counters, regardless of the limits. */
export async function changeUsageUnchecked(tx: Tx, driveId: number, usage: Usage): Promise<boolean> {
  return (await CHANGES.unchecked.findFirst(tx, { driveId, keptBytes: 0, ...usage })) !== undefined;
}

/** Changes the given limits of a drive. Missing ones stay the same. */
export async function setLimits(
  tx: Tx,
  driveId: number,
  { quotaBytes, maxUploadBytes, maxEntries }: Partial<DriveLimits>,
): Promise<void> {
  await tx
    .updateTable('drive')
    .set({
      ...(quotaBytes === undefined ? {} : { quota_bytes: quotaBytes }),
      ...(maxUploadBytes === undefined ? {} : { max_upload_bytes: maxUploadBytes }),
      ...(maxEntries === undefined ? {} : { max_entries: maxEntries }),
    })
    .where('id', '=', driveId)
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
  return new CompiledOnce<Required<Usage> & { readonly driveId: number }, { kind: DriveKind }>(
    (db, value) => {
      const fitsQuota = limits.bytes ? sql`and used_bytes + ${value('bytes')} <= quota_bytes` : NO_CONDITION;
      const fitsEntries = limits.entries
        ? sql`and entry_count + ${value('entries')} <= max_entries`
        : NO_CONDITION;
      return sql<{ kind: DriveKind }>`
      update drive set used_bytes = used_bytes + ${value('bytes')},
        file_count = file_count + ${value('files')}, entry_count = entry_count + ${value('entries')},
        kept_bytes = kept_bytes + ${value('keptBytes')}
      where id = ${value('driveId')} ${fitsQuota} ${fitsEntries} returning kind`.compile(db);
    },
  );
}
