import type { DriveRole } from '../../base/domain/drives.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db } from '../../database/database.ts';

interface Membership {
  readonly driveId: number;
  readonly accountId: number;
}

/** The role of an account in a shared drive. Undefined if it is not a member, or the drive is deleted. */
export async function findRole(db: Db, membership: Membership): Promise<DriveRole | undefined> {
  return (await ROLE.findFirst(db, membership))?.role;
}

/** The ids of the shared drives of which an account is a member, without deleted ones. */
export async function findSharedDrives(
  db: Db,
  accountId: number,
  maxDrives: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('drive_member')
    .innerJoin('drive', 'drive.id', 'drive_member.drive_id')
    .select('drive.id')
    .where('drive_member.account_id', '=', accountId)
    .where('drive.deleted_at', 'is', null)
    .orderBy('drive.id')
    .limit(maxDrives)
    .execute();
  return rows.map(({ id }) => id);
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
