import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { AccountInDrive, DriveRole } from '../../base/domain/drives.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db, Tx } from '../../database/database.ts';

/** A member as other members see it. */
export interface Member {
  readonly accountId: number;
  readonly username: string;
  readonly displayName: string;
  readonly role: DriveRole;
  readonly since: Instant;
  /** Null for the creator of the drive, and if that account is gone. */
  readonly addedBy: { readonly accountId: number; readonly displayName: string } | null;
}

export interface NewMember extends AccountInDrive {
  readonly role: DriveRole;
  /** The account that adds the member; null for the creator of the drive. */
  readonly addedBy: number | null;
}

/**
 * The role of an account in a shared drive. Undefined if it is not a member or is banned, or if the drive is
 * deleted.
 */
export async function findRole(db: Db, member: AccountInDrive): Promise<DriveRole | undefined> {
  return (await ROLE.findFirst(db, member))?.role;
}

/** Like {@link findRole}, but the role cannot change until the transaction ends. Others can do the same meanwhile. */
export async function lockRole(tx: Tx, member: AccountInDrive): Promise<DriveRole | undefined> {
  const row = await selectRole(tx, member).forShare('drive_member').executeTakeFirst();
  return row?.role;
}

const ROLE = new CompiledOnce<AccountInDrive, { role: DriveRole }>((db, value) =>
  selectRole(db, { driveId: value('driveId'), accountId: value('accountId') }).compile(),
);

function selectRole(db: Db, { driveId, accountId }: AccountInDrive) {
  return db
    .selectFrom('drive_member')
    .innerJoin('drive', 'drive.id', 'drive_member.drive_id')
    .innerJoin('account', 'account.id', 'drive_member.account_id')
    .select('drive_member.role')
    .where('drive_member.drive_id', '=', driveId)
    .where('drive_member.account_id', '=', accountId)
    .where('drive.deleted_at', 'is', null)
    .where('account.banned', '=', 0);
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

/** Removes all members of a drive that is being purged. */
export async function deleteMembersOf(tx: Tx, driveId: number): Promise<void> {
  await tx.deleteFrom('drive_member').where('drive_id', '=', driveId).execute();
  await tx.updateTable('drive').set({ member_count: 0 }).where('id', '=', driveId).execute();
}

/** Returns those of the accounts that are members, in drives that are not deleted. */
export function findMemberships(
  db: Db,
  members: readonly AccountInDrive[],
): Promise<readonly AccountInDrive[]> {
  const wanted = members.map(
    ({ driveId, accountId }) => sql`(cast(${driveId} as bigint), cast(${accountId} as bigint))`,
  );
  return db
    .selectFrom('drive_member')
    .innerJoin('drive', 'drive.id', 'drive_member.drive_id')
    .select(['drive_member.drive_id as driveId', 'drive_member.account_id as accountId'])
    .where(sql<boolean>`(drive_member.drive_id, drive_member.account_id) in (values ${sql.join(wanted)})`)
    .where('drive.deleted_at', 'is', null)
    .execute();
}

/** The members of a drive, those of longest standing first. */
export async function findMembers(db: Db, driveId: number, limit: number): Promise<readonly Member[]> {
  const rows = await selectMembers(db, driveId)
    .orderBy('drive_member.since')
    .orderBy('drive_member.account_id')
    .limit(limit)
    .execute();
  return rows.map(toMember);
}

export async function findMember(
  db: Db,
  { driveId, accountId }: AccountInDrive,
): Promise<Member | undefined> {
  const row = await selectMembers(db, driveId)
    .where('drive_member.account_id', '=', accountId)
    .executeTakeFirst();
  return row && toMember(row);
}

/** Adds a member in a transaction that has locked the drive. Returns false if the account is one already. */
export async function insertMember(
  tx: Tx,
  { driveId, accountId, role, addedBy }: NewMember,
  now: Instant,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('drive_member')
    .values({ drive_id: driveId, account_id: accountId, role, added_by: addedBy, since: now })
    .onConflict((conflict) => conflict.columns(['drive_id', 'account_id']).doNothing())
    .returning('account_id')
    .executeTakeFirst();
  if (inserted !== undefined) await changeMemberCount(tx, driveId, 1);
  return inserted !== undefined;
}

export async function updateRole(
  tx: Tx,
  { driveId, accountId }: AccountInDrive,
  role: DriveRole,
): Promise<void> {
  await tx
    .updateTable('drive_member')
    .set({ role })
    .where('drive_id', '=', driveId)
    .where('account_id', '=', accountId)
    .execute();
}

/** Removes a member in a transaction that has locked the drive. */
export async function deleteMember(tx: Tx, { driveId, accountId }: AccountInDrive): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('drive_member')
    .where('drive_id', '=', driveId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await changeMemberCount(tx, driveId, -1);
}

async function changeMemberCount(tx: Tx, driveId: number, change: 1 | -1): Promise<void> {
  await tx
    .updateTable('drive')
    .set((drive) => ({ member_count: drive('member_count', '+', change) }))
    .where('id', '=', driveId)
    .execute();
}

/** Whether the drive has a manager besides this account who can manage it, so one who is not banned. */
export async function hasOtherManager(tx: Tx, { driveId, accountId }: AccountInDrive): Promise<boolean> {
  const row = await tx
    .selectFrom('drive_member')
    .innerJoin('account', 'account.id', 'drive_member.account_id')
    .select('account.id')
    .where('drive_member.drive_id', '=', driveId)
    .where('drive_member.account_id', '<>', accountId)
    // Written out, because only then does SQLite use the index of managers.
    .where('drive_member.role', '=', sql.lit('MANAGER' as const))
    .where('account.banned', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts the members of a drive, or the shared drives of an account that are not deleted. */
export async function countMemberships(
  tx: Tx,
  of: { readonly driveId: number } | { readonly accountId: number },
): Promise<number> {
  const counted = tx
    .selectFrom('drive_member')
    .innerJoin('drive', 'drive.id', 'drive_member.drive_id')
    .select((select) => select.fn.countAll<number>().as('count'));
  const { count } = await ('driveId' in of
    ? counted.where('drive_member.drive_id', '=', of.driveId)
    : counted.where('drive_member.account_id', '=', of.accountId).where('drive.deleted_at', 'is', null)
  ).executeTakeFirstOrThrow();
  return count;
}

/**
 * Locks the account until the transaction ends, so that its deletion cannot begin meanwhile.
 * @returns false if there is no such account, or its deletion has begun
 */
export async function lockExistingAccount(tx: Tx, accountId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('deleting_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the accounts until the transaction ends, in the order of their ids. */
export async function lockAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await tx
    .selectFrom('account')
    .select('id')
    .where('id', 'in', accountIds)
    // Always in the same order, so that two transactions cannot wait for each other.
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

function selectMembers(db: Db, driveId: number) {
  return db
    .selectFrom('drive_member')
    .innerJoin('account', 'account.id', 'drive_member.account_id')
    .leftJoin('account as adder', (join) =>
      join.onRef('adder.id', '=', 'drive_member.added_by').on('adder.deleting_at', 'is', null),
    )
    .select([
      'drive_member.account_id as accountId',
      'account.username',
      'account.display_name as displayName',
      'drive_member.role',
      'drive_member.since',
      'adder.id as adderId',
      'adder.display_name as adderName',
    ])
    .where('drive_member.drive_id', '=', driveId);
}

type MemberRow = Omit<Member, 'addedBy'> & {
  readonly adderId: number | null;
  readonly adderName: string | null;
};

function toMember({ adderId, adderName, ...member }: MemberRow): Member {
  const addedBy =
    adderId === null || adderName === null ? null : { accountId: adderId, displayName: adderName };
  return { ...member, addedBy };
}

/** The accounts of all members of a drive. */
export async function findMemberIds(tx: Tx, driveId: number): Promise<readonly number[]> {
  const rows = await tx
    .selectFrom('drive_member')
    .select('account_id')
    .where('drive_id', '=', driveId)
    .execute();
  return rows.map((row) => row.account_id);
}

/** The names of a drive that is not deleted, and of an account, which may be gone. */
export async function findNames(
  tx: Tx,
  { driveId, accountId }: { readonly driveId: number; readonly accountId: number | null },
): Promise<{ readonly driveName: string | null; readonly byName: string | null } | undefined> {
  return tx
    .selectFrom('drive')
    .leftJoin('account', (join) => join.on('account.id', '=', accountId))
    .select(['drive.name as driveName', 'account.display_name as byName'])
    .where('drive.id', '=', driveId)
    .where('drive.deleted_at', 'is', null)
    .executeTakeFirst();
}
