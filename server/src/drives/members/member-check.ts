import { type DriveRole, includesRole } from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import type { Tx } from '../../database/database.ts';
import { noDrive } from '../usage/usage.ts';
import { findRole } from './queries.ts';

/** Who uses a drive. */
export interface DriveUser {
  readonly driveId: number;
  /**
   * On whose behalf: for a visitor of a link, the owner of the drive. Null for the system, and for a visitor of
   * a shared drive. These need no role.
   */
  readonly accountId: number | null;
  /** The role that the account needs in a shared drive; `EDITOR` by default. */
  readonly needs?: DriveRole;
}

/**
 * Checks the role of the account, in a transaction that has locked the shared drive. The lock keeps the
 * members as they are until the transaction ends.
 * @throws Failure `not-found`; `forbidden`
 */
export async function checkMember(
  tx: Tx,
  { driveId, accountId, needs = 'EDITOR' }: DriveUser,
): Promise<void> {
  if (accountId === null) return;
  const role = await findRole(tx, { driveId, accountId });
  if (role === undefined) throw noDrive();
  if (!includesRole(role, needs)) throw roleTooLow(role);
}

export function roleTooLow(role: DriveRole): Failure {
  return new Failure('forbidden', `Your role in this drive (${role}) does not allow this.`);
}
