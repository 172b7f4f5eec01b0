import type { NamedAccount } from '../../accounts/accounts.ts';
import type { Db } from '../../database/database.ts';

/** The maximum number of memberships that are read, so that no search takes long. */
const MAX_MEMBERSHIPS = 10_000;

/** The accounts that share a drive with an account, in alphabetical order. */
export function findKnownPeople(db: Db, accountId: number, limit: number): Promise<readonly NamedAccount[]> {
  const known = db
    .selectFrom('drive_member as own')
    .innerJoin('drive', 'drive.id', 'own.drive_id')
    .innerJoin('drive_member as other', 'other.drive_id', 'own.drive_id')
    .select('other.account_id')
    .where('own.account_id', '=', accountId)
    .where('drive.deleted_at', 'is', null)
    .where('other.account_id', '<>', accountId)
    .limit(MAX_MEMBERSHIPS);
  return db
    .selectFrom('account')
    .select(['id as accountId', 'username', 'display_name as displayName'])
    .where('id', 'in', known)
    .where('deleting_at', 'is', null)
    .orderBy('folded_username')
    .limit(limit)
    .execute();
}

/** The accounts with these folded usernames, by username. Leaves out those that are being deleted. */
export async function findAccountIds(
  db: Db,
  foldedUsernames: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('account')
    .select(['id', 'folded_username'])
    .where('folded_username', 'in', foldedUsernames)
    .where('deleting_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, folded_username }) => [folded_username, id]));
}
