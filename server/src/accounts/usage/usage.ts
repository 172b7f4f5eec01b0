import { Failure } from '../../base/failure.ts';
import type { Db, Tx } from '../../database/database.ts';
import { type Allowance, changeUsage, findAllowance, type Usage } from './queries.ts';

export type { Usage };

/*
 * An owner's counters are the first write of every transaction that changes that owner's drive: `Accounts.withDriveLock`. Check and charge are one
 * conditional update, so quotas cannot be raced; and since all writers of one owner queue on the one row, what a
 * transaction reads of the drive after it stays true until it commits.
 */

const NOTHING: Usage = { bytes: 0, files: 0 };
const OVER_UPLOAD_SIZE = 'The file is larger than you may upload.';
const OVER_QUOTA = 'There is not enough storage space left for this.';

/** The most bytes that one upload may have, and what to say of more. */
export interface UploadLimit {
  readonly maxBytes: number;
  readonly message: string;
}

/**
 * What the owner could upload now: to be refused early what cannot fit. The charge at the end is what holds.
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

/** The most bytes that one upload of theirs may have, however much is free. @throws Failure `not-found` */
export async function getMaxUploadBytes(db: Db, ownerId: number): Promise<number> {
  const allowance = await findAllowance(db, ownerId);
  if (allowance === undefined) throw noAccount();
  return allowance.maxUploadBytes;
}

/** What is left of the owner's quota; 0 for who is over it. @throws Failure `not-found` */
export async function getFreeBytes(db: Db, ownerId: number): Promise<number> {
  const allowance = await findAllowance(db, ownerId);
  if (allowance === undefined) throw noAccount();
  return toFreeBytes(allowance);
}

/** Makes the transaction the only one that changes this owner's drive, until it ends. */
export async function lockDrive(tx: Tx, ownerId: number): Promise<void> {
  if (!(await changeUsage(tx, ownerId, NOTHING))) throw noAccount();
}

/**
 * Charges files to the owner, and holds the drive as {@link lockDrive} does.
 * @throws Failure `over-limit` when their bytes do not fit the quota
 */
export async function chargeUsage(tx: Tx, ownerId: number, usage: Usage): Promise<void> {
  if (await changeUsage(tx, ownerId, usage)) return;
  throw usage.bytes > 0 ? new Failure('over-limit', OVER_QUOTA) : noAccount();
}

/** Gives the owner back what files took, and holds the drive. */
export async function releaseUsage(tx: Tx, ownerId: number, { bytes, files }: Usage): Promise<void> {
  if (!(await changeUsage(tx, ownerId, { bytes: -bytes, files: -files }))) throw noAccount();
}

function toFreeBytes({ quotaBytes, usedBytes }: Allowance): number {
  return Math.max(0, quotaBytes - usedBytes);
}

function noAccount(): Failure {
  return new Failure('not-found', 'There is no such account.');
}
