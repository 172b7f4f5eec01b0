import { type SqlBool, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { AccountInDrive } from '../../base/domain/drives.ts';
import type { Tx } from '../../database/database.ts';

// What happens to shared drives when the account of a member is deleted. All drives are changed at once.

/** Locks the shared drives of an account until the transaction ends. Returns their ids. */
export async function lockDrivesOf(tx: Tx, accountId: number): Promise<readonly number[]> {
  const rows = await tx
    .selectFrom('drive')
    .select('id')
    .where('id', 'in', (of) =>
      of.selectFrom('drive_member').select('drive_id').where('account_id', '=', accountId),
    )
    // Always in the same order, so that two deletions cannot block each other.
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Ends the memberships of an account, in a transaction that has locked the drives. */
export async function deleteMembershipsOf(tx: Tx, accountId: number): Promise<void> {
  await tx
    .updateTable('drive')
    .set((drive) => ({ member_count: drive('member_count', '-', 1) }))
    .where('id', 'in', (of) =>
      of.selectFrom('drive_member').select('drive_id').where('account_id', '=', accountId),
    )
    .execute();
  await tx.deleteFrom('drive_member').where('account_id', '=', accountId).execute();
}

/**
 * Makes one member the manager of each of the drives that has members, but no manager: the EDITOR of longest
 * standing, otherwise the VIEWER. A banned account comes last, because it could not manage anything.
 * @returns the accounts that became managers, with the drives
 */
export function promoteSuccessors(tx: Tx, driveIds: readonly number[]): Promise<readonly AccountInDrive[]> {
  // Null for a drive without members, which matches no row below.
  const successor = sql<number | null>`(
    select member.account_id from drive_member as member join account on account.id = member.account_id
    where member.drive_id = drive.id
    order by account.banned, case member.role when 'EDITOR' then 0 else 1 end, member.since, account.id
    limit 1
  )`;
  const successors = tx
    .selectFrom('drive')
    .select(['drive.id', successor.as('account_id')])
    .where('drive.id', 'in', driveIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('drive_member as manager')
            .select('manager.account_id')
            .whereRef('manager.drive_id', '=', 'drive.id')
            // Written out, because only then does SQLite use the index of managers.
            .where('manager.role', '=', sql.lit('MANAGER' as const)),
        ),
      ),
    );
  return tx
    .updateTable('drive_member')
    .set({ role: 'MANAGER' })
    .where(sql<SqlBool>`(drive_id, account_id) in ${successors}`)
    .returning(['drive_id as driveId', 'account_id as accountId'])
    .execute();
}

/** Marks those of the drives as deleted that have no members. */
export async function deleteAbandonedDrives(
  tx: Tx,
  driveIds: readonly number[],
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('drive')
    .set({ deleted_at: now })
    .where('id', 'in', driveIds)
    .where('deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('drive_member').select('account_id').whereRef('drive_member.drive_id', '=', 'drive.id'),
        ),
      ),
    )
    .execute();
}
