import { Failure } from '../../base/failure.ts';
import type { Db, Tx } from '../../database/database.ts';
import { type Allowance, changeUsage, findAllowance, type Usage } from './queries.ts';

export type { Usage };

/*
 * Every transaction that changes a drive first updates the counters of its owner (`Accounts.withDriveLock`).
 * One conditional update checks and charges the quota, so races cannot exceed it. All writers of one owner
 * wait for the same row. So what a transaction reads of the drive after this update cannot change before it
 * commits.
 */

const NOTHING: Usage = { bytes: 0, files: 0 };
const OVER_UPLOAD_SIZE = 'The file is larger than you may upload.';
const OVER_QUOTA = 'There is not enough storage space left for this.';

/** The size limit of an upload, and the message for larger uploads. */
export interface UploadLimit {
  readonly maxBytes: number;
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
  const freeBytes = toFreeBytes(allowance);
  return freeBytes < allowance.maxUploadBytes
    ? { maxBytes: freeBytes, message: OVER_QUOTA }
    : { maxBytes: allowance.maxUploadBytes, message: OVER_UPLOAD_SIZE };
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

/** Locks the owner's drive until the transaction ends: no other transaction can change it. */
export async function lockDrive(tx: Tx, ownerId: number): Promise<void> {
  if (!(await changeUsage(tx, ownerId, NOTHING))) throw noAccount();
}

/**
 * Charges files to the owner, and locks the drive like {@link lockDrive}.
 * @throws Failure `over-limit` if their bytes exceed the quota
 */
export async function chargeUsage(tx: Tx, ownerId: number, usage: Usage): Promise<void> {
  if (await changeUsage(tx, ownerId, usage)) return;
  throw usage.bytes > 0 ? new Failure('over-limit', OVER_QUOTA) : noAccount();
}

/** Subtracts the usage of removed files, and locks the drive. */
export async function releaseUsage(tx: Tx, ownerId: number, { bytes, files }: Usage): Promise<void> {
  if (!(await changeUsage(tx, ownerId, { bytes: -bytes, files: -files }))) throw noAccount();
}

function toFreeBytes({ quotaBytes, usedBytes }: Allowance): number {
  return Math.max(0, quotaBytes - usedBytes);
}

function noAccount(): Failure {
  return new Failure('not-found', 'There is no such account.');
}
