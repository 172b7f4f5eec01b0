import { Failure } from '../base/failure.ts';
import type { Tx } from '../database/database.ts';
import { changeUsage } from './usage-queries.ts';

/*
 * An owner's counter is the first write of every transaction that changes that owner's drive. Check and charge are one
 * conditional update, so quotas cannot be raced; and since all writers of one owner queue on the one row, what a
 * transaction reads of the drive after it stays true until it commits.
 */

export const OVER_QUOTA = 'There is not enough storage space left for this.';

/** Makes the transaction the only one that changes this owner's drive, until it ends. */
export async function holdDrive(tx: Tx, ownerId: number): Promise<void> {
  if (!(await changeUsage(tx, ownerId, 0))) throw new Failure('not-found', 'There is no such account.');
}

/**
 * Charges bytes (0 or more) to the owner, and holds the drive as {@link holdDrive} does.
 * @throws Failure `over-limit` when they do not fit the quota
 */
export async function chargeBytes(tx: Tx, ownerId: number, bytes: number): Promise<void> {
  if (!(await changeUsage(tx, ownerId, bytes))) throw new Failure('over-limit', OVER_QUOTA);
}

/** Gives bytes back to the owner, and holds the drive. */
export async function releaseBytes(tx: Tx, ownerId: number, bytes: number): Promise<void> {
  if (!(await changeUsage(tx, ownerId, -bytes))) throw new Failure('not-found', 'There is no such account.');
}
