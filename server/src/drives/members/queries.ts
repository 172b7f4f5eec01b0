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

/**
 * Adds a member, or changes the role of one. The transaction must have locked the drive.
 * @param member `addedBy` counts for a new member only
 */
export async function putMember(
  tx: Tx,
  { driveId, accountId, role, addedBy }: Membership & { readonly role: DriveRole; readonly addedBy: number },
  now: Instant,
): Promise<void> {
  await tx
    .insertInto('drive_member')
    .values({ drive_id: driveId, account_id: accountId, role, added_by: addedBy, since: now })
    .onConflict((conflict) => conflict.columns(['drive_id', 'account_id']).doUpdateSet({ role }))
    .execute();
}
