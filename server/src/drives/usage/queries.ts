import { sql } from 'kysely';
import type { DriveKind } from '../../base/domain/drives.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
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

/** How full a drive is after a change. */
export interface Fullness {
  readonly kind: DriveKind;
  readonly usedBytes: number;
  readonly quotaBytes: number;
  /** Whether its managers were told that it is nearly full. */
  readonly isNearlyFull: Flag;
}

const FULLNESS = sql`kind, used_bytes as "usedBytes", quota_bytes as "quotaBytes",
  is_nearly_full as "isNearlyFull"`;

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
export function changeUsage(tx: Tx, driveId: number, usage: Usage): Promise<Fullness | undefined> {
  const statement =
    usage.bytes > 0
      ? usage.entries > 0
        ? CHANGES.withMoreOfBoth
        : CHANGES.withMoreBytes
      : usage.entries > 0
        ? CHANGES.withMoreEntries
        : CHANGES.unchecked;
  return statement.findFirst(tx, { driveId, keptBytes: 0, ...usage });
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
export function changeUsageUnchecked(tx: Tx, driveId: number, usage: Usage): Promise<Fullness | undefined> {
  return CHANGES.unchecked.findFirst(tx, { driveId, keptBytes: 0, ...usage });
}

/** Changes the given limits of a drive. Missing ones stay the same. */
export async function setLimits(
  tx: Tx,
  driveId: number,
  { quotaBytes, maxUploadBytes, maxEntries }: Partial<DriveLimits>,
): Promise<Fullness | undefined> {
  return tx
    .updateTable('drive')
    .set({
      ...(quotaBytes === undefined ? {} : { quota_bytes: quotaBytes }),
      ...(maxUploadBytes === undefined ? {} : { max_upload_bytes: maxUploadBytes }),
      ...(maxEntries === undefined ? {} : { max_entries: maxEntries }),
    })
    .where('id', '=', driveId)
    .returning([
      'kind',
      'used_bytes as usedBytes',
      'quota_bytes as quotaBytes',
      'is_nearly_full as isNearlyFull',
    ])
    .executeTakeFirst();
}

export async function setNearlyFull(tx: Tx, driveId: number, isNearlyFull: Flag): Promise<void> {
  await tx.updateTable('drive').set({ is_nearly_full: isNearlyFull }).where('id', '=', driveId).execute();
}

/** The name of a drive, and who can do something about its usage: the owner, or at most `limit` managers. */
export async function findThoseInCharge(
  tx: Tx,
  driveId: number,
  limit: number,
): Promise<{ readonly driveName: string | null; readonly accountIds: readonly number[] }> {
  const drive = await tx
    .selectFrom('drive')
    .select(['name', 'account_id'])
    .where('id', '=', driveId)
    .executeTakeFirstOrThrow();
  if (drive.account_id !== null) return { driveName: null, accountIds: [drive.account_id] };
  const managers = await tx
    .selectFrom('drive_member')
    .select('account_id')
    .where('drive_id', '=', driveId)
    // Written out, because only then does SQLite use the index of managers.
    .where('role', '=', sql.lit('MANAGER' as const))
    .limit(limit)
    .execute();
  return { driveName: drive.name, accountIds: managers.map((row) => row.account_id) };
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
  return new CompiledOnce<Required<Usage> & { readonly driveId: number }, Fullness>((db, value) => {
    const fitsQuota = limits.bytes ? sql`and used_bytes + ${value('bytes')} <= quota_bytes` : NO_CONDITION;
    const fitsEntries = limits.entries
      ? sql`and entry_count + ${value('entries')} <= max_entries`
      : NO_CONDITION;
    return sql<Fullness>`
      update drive set used_bytes = used_bytes + ${value('bytes')},
        file_count = file_count + ${value('files')}, entry_count = entry_count + ${value('entries')},
        kept_bytes = kept_bytes + ${value('keptBytes')}
      where id = ${value('driveId')} ${fitsQuota} ${fitsEntries} returning ${FULLNESS}`.compile(db);
  });
}
