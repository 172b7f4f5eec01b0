import { type Expression, sql } from 'kysely';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';

/** The owner of a listed row, as the list names it. */
export interface Owner {
  readonly ownerId: number;
  readonly ownerUsername: string;
  readonly ownerEmail: string | null;
}

export async function findOwners(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Owner>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('account')
    .select(['id as ownerId', 'username as ownerUsername', 'email as ownerEmail'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.ownerId, row]));
}

/**
 * Makes the items of a list from rows and their owners. Leaves out rows whose owner has been deleted
 * meanwhile, and rows for which `toItem` returns undefined.
 */
export async function toOwnedItems<Row, Item>(
  db: Db,
  rows: readonly Row[],
  ownerIdOf: (row: Row) => number,
  toItem: (row: Row, owner: Owner) => Item | undefined,
): Promise<readonly Item[]> {
  const owners = await findOwners(db, rows.map(ownerIdOf));
  return rows.flatMap((row) => {
    const owner = owners.get(ownerIdOf(row));
    return (owner && toItem(row, owner)) ?? [];
  });
}

/** A subquery for the ids of accounts whose username, e-mail address or phone number contains the text. */
export function accountIdsMatching(query: string): Expression<number> {
  return sql<number>`(select account.id from account where ${containsText('account.folded_username', query)}
    or ${containsText('account.folded_email', query)} or ${containsText('account.phone_number', query)})`;
}
