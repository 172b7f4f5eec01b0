import { type DriveKind, noDrive } from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import type { Db, Tx } from '../../database/database.ts';
import { noteEmptier } from './fullness.ts';
import { changeUsage, changeUsageUnchecked, findLimits, type Usage } from './queries.ts';

/*
 * Every transaction that changes a drive first updates its counters (`Drives.withDriveLock`).
 * One conditional update checks and charges both the bytes and the entries, so races cannot exceed the
 * limits. All writers to one drive wait for the same row. So whatever a transaction reads from the drive
 * after this update cannot change before it commits.
 */

const NOTHING: Usage = { bytes: 0, files: 0, entries: 0 };
const OVER_UPLOAD_SIZE = 'The file is larger than you may upload.';
const OVER_QUOTA = 'There is not enough storage space left for this.';

const OVER_ENTRIES =
  'This drive has too many files and directories. Those in the recycle bin count until they are purged.';

/** What a drive has used and may still use. The latter is 0 if the limit is exceeded. */
interface Allowance {
  readonly usedBytes: number;
  readonly freeBytes: number;
  /** How many files and directories can still be created. */
  readonly freeEntries: number;
  /** The maximum size of an upload, regardless of the quota. */
  readonly maxUploadBytes: number;
}

/** The size limit of an upload, and the message for larger uploads. */
export interface UploadLimit {
  readonly maxBytes: number;
  /** Whether larger files are never accepted, or there is no space for them now. */
  readonly limitedBy: 'size' | 'space';
  readonly message: string;
}

/**
 * The largest file that could be uploaded to the drive now. Lets callers reject early what cannot fit; the
 * charge at the end decides.
 * @throws Failure `not-found`
 */
export async function getUploadLimit(db: Db, driveId: number): Promise<UploadLimit> {
  const { freeBytes, freeEntries, maxUploadBytes } = await getAllowance(db, driveId);
  // Even an empty file needs an entry, which the charge would reject.
  if (freeEntries === 0) return { maxBytes: 0, limitedBy: 'space', message: OVER_ENTRIES };
  return toUploadLimit(freeBytes, maxUploadBytes);
}

/**
 * The limit of an upload that replaces charged bytes: only the difference counts.
 * @throws Failure `not-found`
 */
export async function getReplacementLimit(
  db: Db,
  driveId: number,
  replacedBytes: number,
): Promise<UploadLimit> {
  const { freeBytes, maxUploadBytes } = await getAllowance(db, driveId);
  return toUploadLimit(freeBytes + replacedBytes, maxUploadBytes);
}

/** @throws Failure `not-found` */
export async function getAllowance(db: Db, driveId: number): Promise<Allowance> {
  const limits = await findLimits(db, driveId);
  if (limits === undefined) throw noDrive();
  const { quotaBytes, usedBytes, maxEntries, entryCount, maxUploadBytes } = limits;
  return {
    usedBytes,
    freeBytes: Math.max(0, quotaBytes - usedBytes),
    freeEntries: Math.max(0, maxEntries - entryCount),
    maxUploadBytes,
  };
}

/** Locks the drive until the transaction ends: no other transaction can change it. */
export async function lockDrive(tx: Tx, driveId: number): Promise<DriveKind> {
  const locked = await changeUsage(tx, driveId, NOTHING);
  if (locked === undefined) throw noDrive();
  return locked.kind;
}

/** @returns the failure of a charge that the update has refused */
export async function toChargeFailure(tx: Tx, driveId: number, usage: Usage): Promise<Failure> {
  const { freeBytes } = await getAllowance(tx, driveId);
  // The update has already decided. This only finds out which limit to name in the message.
  const isOverQuota = usage.bytes > 0 && (usage.entries <= 0 || usage.bytes > freeBytes);
  return isOverQuota ? new Failure('over-limit', OVER_QUOTA) : overEntries();
}

export function overEntries(): Failure {
  return new Failure('over-limit', OVER_ENTRIES);
}

/** Subtracts the usage of removed entries, and locks the drive. */
export async function releaseUsage(tx: Tx, driveId: number, usage: Usage): Promise<void> {
  const { bytes, files, entries, keptBytes = 0 } = usage;
  const change = { bytes: -bytes, files: -files, entries: -entries, keptBytes: -keptBytes };
  const changed = await changeUsage(tx, driveId, change);
  if (changed === undefined) throw noDrive();
  await noteEmptier(tx, driveId, changed);
}

/** Adds to the usage without regard to the limits, and locks the drive. */
export async function correctUsage(tx: Tx, driveId: number, change: Usage): Promise<void> {
  const changed = await changeUsageUnchecked(tx, driveId, change);
  if (changed === undefined) throw noDrive();
  await noteEmptier(tx, driveId, changed);
}

function toUploadLimit(fittingBytes: number, maxUploadBytes: number): UploadLimit {
  return fittingBytes < maxUploadBytes
    ? { maxBytes: fittingBytes, limitedBy: 'space', message: OVER_QUOTA }
    : { maxBytes: maxUploadBytes, limitedBy: 'size', message: OVER_UPLOAD_SIZE };
}
