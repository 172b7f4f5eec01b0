import { sql } from 'kysely';
import type { NamedAccount } from '../../accounts/accounts.ts';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';

/** A search through more memberships than this takes long. */
const MANY_MEMBERSHIPS = 5_000;

/** Whether the drives of an account have many members. They have at most about a million. */
export async function hasManyKnown(db: Db, accountId: number): Promise<boolean> {
  const { count } = await db
    .selectFrom(selectKnown(db, accountId).limit(MANY_MEMBERSHIPS).as('known'))
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count === MANY_MEMBERSHIPS;
}

/**
 * The accounts that share a drive with an account, and whose username or a word of whose display name begins
 * with the text; all for an empty text. Those with such a username come first, in alphabetical order.
 * @param beginning in lower case
 */
export function findKnownPeople(
  db: Db,
  accountId: number,
  beginning: string,
  limit: number,
): Promise<readonly NamedAccount[]> {
  // Usernames have no spaces.
  const hasUsername = containsText(sql`' ' || folded_username`, ` ${beginning}`);
  const hasName = casesOf(beginning).map((text) =>
    containsText(
      sql`lower(' ' || display_name)`,
      ` ${text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}`,
    ),
  );
  return db
    .selectFrom('account')
    .select(['id as accountId', 'username', 'display_name as displayName'])
    .where('id', 'in', selectKnown(db, accountId))
    .where('deleting_at', 'is', null)
    .where(sql<boolean>`(${sql.join([hasUsername, ...hasName], sql` or `)})`)
    .orderBy(sql`case when ${hasUsername} then 0 else 1 end`)
    .orderBy('folded_username')
    .limit(limit)
    .execute();
}

function selectKnown(db: Db, accountId: number) {
  return db
    .selectFrom('drive_member as own')
    .innerJoin('drive', 'drive.id', 'own.drive_id')
    .innerJoin('drive_member as other', 'other.drive_id', 'own.drive_id')
    .select('other.account_id')
    .where('own.account_id', '=', accountId)
    .where('drive.deleted_at', 'is', null)
    .where('other.account_id', '<>', accountId);
}

/** How a name may begin. Not every database ignores the case of letters other than ASCII. */
function casesOf(beginning: string): readonly string[] {
  const [first = ''] = beginning;
  const capitalized = `${first.toUpperCase()}${beginning.slice(first.length)}`;
  return [...new Set([beginning, capitalized, beginning.toUpperCase()])];
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
