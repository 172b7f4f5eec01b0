import { Failure } from '../../base/failure.ts';
import type { Db, Tx } from '../../database/database.ts';
import { type Allowance, changeUsage, changeUsageUnchecked, findAllowance, type Usage } from './queries.ts';

export type { Usage };

/*
 * Every transaction that changes a drive first updates the counters of its owner (`Accounts.withDriveLock`).
 * One conditional update checks and charges the quota of bytes and that of entries, so races cannot exceed
 * them. All writers of one owner wait for the same row. So what a transaction reads of the drive after this
 * update cannot change before it commits.
 */

const NOTHING: Usage = { bytes: 0, files: 0, entries: 0 };
const OVER_UPLOAD_SIZE = 'The file is larger than you may upload.';
const OVER_QUOTA = 'There is not enough storage space left for this.';

const OVER_ENTRIES =
  'Your drive has too many files and directories. Those in the recycle bin count until they are purged.';

/** The size limit of an upload, and the message for larger uploads. */
export interface UploadLimit {
  readonly maxBytes: number;
  /** Whether larger files are never accepted, or there is no space for them now. */
  readonly limitedBy: 'size' | 'space';
  readonly message: string;
}

/**
 * The largest file that the owner could upload now. Lets callers reject early what cannot fit; the charge at
 * the end decides.
 * @throws Failure `not-found`
 */
export async function getUploadLimit(db: Db, ownerId: number): Promise<UploadLimit> {
  const allowance = await findAllowance(db, ownerId);
  if (allowance === undefined) throw noAccount();
  // Even an empty file needs an entry, which the charge rejects.
  if (toFreeEntries(allowance) === 0) return { maxBytes: 0, limitedBy: 'space', message: OVER_ENTRIES };
  const freeBytes = toFreeBytes(allowance);
  return freeBytes < allowance.maxUploadBytes
    ? { maxBytes: freeBytes, limitedBy: 'space', message: OVER_QUOTA }
    : { maxBytes: allowance.maxUploadBytes, limitedBy: 'size', message: OVER_UPLOAD_SIZE };
}

/**
 * The limit of an upload that replaces charged bytes: only the difference counts.
 * @throws Failure `not-found`
 */
export async function getReplacementLimit(
  db: Db,
  ownerId: number,
  replacedBytes: number,
): Promise<UploadLimit> {
  const allowance = await findAllowance(db, ownerId);
  if (allowance === undefined) throw noAccount();
  const fittingBytes = toFreeBytes(allowance) + replacedBytes;
  return fittingBytes < allowance.maxUploadBytes
    ? { maxBytes: fittingBytes, limitedBy: 'space', message: OVER_QUOTA }
    : { maxBytes: allowance.maxUploadBytes, limitedBy: 'size', message: OVER_UPLOAD_SIZE };
}

/** The size limit of the owner's uploads, regardless of the quota. @throws Failure `not-found` */
export async function getMaxUploadBytes(db: Db, ownerId: number): Promise<number> {
  const allowance = await findAllowance(db, ownerId);
  if (allowance === undefined) throw noAccount();
  return allowance.maxUploadBytes;
}

/** The unused part of the owner's quota; 0 if the owner is over it. @throws Failure `not-found` */
export async function getFreeBytes(db: Db, ownerId: number): Promise<number> {
  const allowance = await findAllowance(db, ownerId);
  if (allowance === undefined) throw noAccount();
  return toFreeBytes(allowance);
}

/** How many files and directories the owner can still create. @throws Failure `not-found` */
export async function getFreeEntries(db: Db, ownerId: number): Promise<number> {
  const allowance = await findAllowance(db, ownerId);
  if (allowance === undefined) throw noAccount();
  return toFreeEntries(allowance);
}

/** Locks the owner's drive until the transaction ends: no other transaction can change it. */
export async function lockDrive(tx: Tx, ownerId: number): Promise<void> {
  if (!(await changeUsage(tx, ownerId, NOTHING))) throw noAccount();
}

/**
 * Charges files and directories to the owner, and locks the drive like {@link lockDrive}.
 * @throws Failure `over-limit` if their bytes exceed the quota, or if they are too many entries
 */
export async function chargeUsage(tx: Tx, ownerId: number, usage: Usage): Promise<void> {
  if (await changeUsage(tx, ownerId, usage)) return;
  const allowance = await findAllowance(tx, ownerId);
  if (allowance === undefined) throw noAccount();
  // Which limit it was is only read for the message; the update has decided.
  const isOverQuota = usage.bytes > 0 && (usage.entries <= 0 || usage.bytes > toFreeBytes(allowance));
  throw isOverQuota ? new Failure('over-limit', OVER_QUOTA) : overEntries();
}

export function overEntries(): Failure {
  return new Failure('over-limit', OVER_ENTRIES);
}

/** Subtracts the usage of removed files and directories, and locks the drive. */
export async function releaseUsage(tx: Tx, ownerId: number, usage: Usage): Promise<void> {
  const { bytes, files, entries, keptBytes = 0 } = usage;
  const change = { bytes: -bytes, files: -files, entries: -entries, keptBytes: -keptBytes };
  if (!(await changeUsage(tx, ownerId, change))) throw noAccount();
}

/** Adds to the usage without regard to the limits, and locks the drive. */
export async function correctUsage(tx: Tx, ownerId: number, change: Usage): Promise<void> {
  if (!(await changeUsageUnchecked(tx, ownerId, change))) throw noAccount();
}

function toFreeBytes({ quotaBytes, usedBytes }: Allowance): number {
  return Math.max(0, quotaBytes - usedBytes);
}

function toFreeEntries({ maxEntries, entryCount }: Allowance): number {
  return Math.max(0, maxEntries - entryCount);
}

function noAccount(): Failure {
  return new Failure('not-found', 'There is no such account.');
}
