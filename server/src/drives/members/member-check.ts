import { checkRole, type DriveRole } from '../../base/domain/drives.ts';
import type { Db, Tx } from '../../database/database.ts';
import { findPersonalDrive } from '../queries.ts';
import { noDrive } from '../usage/usage.ts';
import { findRole, lockRole, type Membership } from './queries.ts';

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
export async function checkMember(tx: Tx, user: DriveUser): Promise<void> {
  const { driveId, accountId } = user;
  if (accountId === null) return;
  const role = await findRole(tx, { driveId, accountId });
  if (role === undefined) throw noDrive();
  checkRole(role, user.needs ?? 'EDITOR');
}

/**
 * Checks that a drive is the account's personal one, or a shared one in which it has the role. For a drive
 * that a request names, which may be anyone's.
 * @throws Failure as {@link checkMember}
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
 * @throws Failure as {@link checkMember}
 */
export async function holdRole(tx: Tx, user: DriveUser): Promise<void> {
  await checkUserBy(tx, user, lockRole);
}

async function checkUserBy<D extends Db>(
  db: D,
  user: DriveUser,
  find: (db: D, membership: Membership) => Promise<DriveRole | undefined>,
): Promise<void> {
  const { driveId, accountId } = user;
  if (accountId === null) return;
  const role = await find(db, { driveId, accountId });
  if (role !== undefined) return checkRole(role, user.needs ?? 'EDITOR');
  if ((await findPersonalDrive(db, accountId)) !== driveId) throw noDrive();
}
