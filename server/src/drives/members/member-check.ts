import { type AccountInDrive, checkRole, type DriveRole, noDrive } from '../../base/domain/drives.ts';
import type { Db, Tx } from '../../database/database.ts';
import { findPersonalDrive } from '../queries.ts';
import { findRole, lockRole } from './queries.ts';

/** Who uses a drive. */
export interface DriveUser {
  readonly driveId: number;
  /**
   * On whose behalf: for a visitor of a link in a personal drive, its owner. Null for the system, and for a
   * visitor of a shared drive. These need no role.
   */
  readonly accountId: number | null;
  /** The role that the account needs in a shared drive; `EDITOR` by default. */
  readonly needs?: DriveRole;
}

/**
 * Checks that a drive is the account's personal one, or a shared one in which it has the role. If the
 * transaction has locked the drive, the members stay as they are until it ends.
 * @throws Failure `not-found`; `forbidden`
 */
export async function checkUser(db: Db, user: DriveUser): Promise<void> {
  await checkUserBy(db, user, findRole);
}

/**
 * Like {@link checkUser}, in a transaction that has not locked the drive. In a shared drive, the role stays as it
 * is until the transaction ends: a removal of the account waits, but no other change of the drive does.
 *
 * The removal holds the drive's lock while it waits. So this must be followed by little work.
 *
 * @throws Failure as {@link checkUser}
 */
export async function holdRole(tx: Tx, user: DriveUser): Promise<void> {
  await checkUserBy(tx, user, lockRole);
}

async function checkUserBy<D extends Db>(
  db: D,
  user: DriveUser,
  find: (db: D, member: AccountInDrive) => Promise<DriveRole | undefined>,
): Promise<void> {
  const { driveId, accountId } = user;
  if (accountId === null) return;
  const role = await find(db, { driveId, accountId });
  if (role !== undefined) return checkRole(role, user.needs ?? 'EDITOR');
  if ((await findPersonalDrive(db, accountId)) !== driveId) throw noDrive();
}
