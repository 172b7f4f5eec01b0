import type { Instant } from '../../base/clock.ts';
import type { DriveRole } from '../../base/domain/drives.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db, Tx } from '../../database/database.ts';

interface Membership {
  readonly driveId: number;
  readonly accountId: number;
}

/** The role of an account in a shared drive. Undefined if it is not a member, or the drive is deleted. */
export async function findRole(db: Db, membership: Membership): Promise<DriveRole | undefined> {
  return (await ROLE.findFirst(db, membership))?.role;
}

const ROLE = new CompiledOnce<Membership, { role: DriveRole }>((db, value) =>
  db
    .selectFrom('drive_member')
    .innerJoin('drive', 'drive.id', 'drive_member.drive_id')
    .select('drive_member.role')
    .where('drive_member.drive_id', '=', value('driveId'))
    .where('drive_member.account_id', '=', value('accountId'))
    .where('drive.deleted_at', 'is', null)
    .compile(),
);

interface NewMember {
  readonly accountId: number;
  readonly role: DriveRole;
  /** The account that adds the member; null for the creator of the drive. */
  readonly addedBy: number | null;
  readonly since: Instant;
}

/** Adds members to a shared drive. None of them may be a member already. */
export async function insertMembers(tx: Tx, driveId: number, members: readonly NewMember[]): Promise<void> {
  const rows = members.map(({ accountId, role, addedBy, since }) => ({
    drive_id: driveId,
    account_id: accountId,
    role,
    added_by: addedBy,
    since,
  }));
  await tx.insertInto('drive_member').values(rows).execute();
}

/** Removes all members of a drive that is being purged. */
export async function deleteMembersOf(tx: Tx, driveId: number): Promise<void> {
  await tx.deleteFrom('drive_member').where('drive_id', '=', driveId).execute();
}
