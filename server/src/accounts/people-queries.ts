import type { Db } from '../database/database.ts';

/** An account as other people see it. */
export interface NamedAccount {
  readonly accountId: number;
  readonly username: string;
  readonly displayName: string;
}

/** The folded username or the folded e-mail address of an account. Both are unique. */
export type AccountName = { readonly foldedUsername: string } | { readonly foldedEmail: string };

/** Finds the account with that name, unless it is being deleted. */
export function findNamedAccount(db: Db, name: AccountName): Promise<NamedAccount | undefined> {
  const named = selectAccounts(db);
  return (
    'foldedUsername' in name
      ? named.where('folded_username', '=', name.foldedUsername)
      : named.where('folded_email', '=', name.foldedEmail)
  ).executeTakeFirst();
}

/**
 * Finds accounts whose folded usernames begin with the text, in alphabetical order.
 * @param beginning has only characters of usernames
 */
export function findAccountsByBeginning(
  db: Db,
  beginning: string,
  limit: number,
): Promise<readonly NamedAccount[]> {
  return (
    selectAccounts(db)
      .where('folded_username', '>=', beginning)
      // Greater than every character of a username. Unlike a pattern, the range can use the index.
      .where('folded_username', '<', `${beginning}~`)
      .orderBy('folded_username')
      .limit(limit)
      .execute()
  );
}

function selectAccounts(db: Db) {
  return db
    .selectFrom('account')
    .select(['id as accountId', 'username', 'display_name as displayName'])
    .where('deleting_at', 'is', null);
}
