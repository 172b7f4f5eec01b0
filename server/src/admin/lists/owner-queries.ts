import { type Expression, sql } from 'kysely';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';

/** The owner of a listed row, as the list names it. */
export interface Owner {
  readonly ownerId: number;
  readonly ownerUsername: string;
  readonly ownerEmail: string | null;
}

const OWNER_COLUMNS = [
  'account.id as ownerId',
  'account.username as ownerUsername',
  'account.email as ownerEmail',
] as const;

/** Accounts by their ids. */
export async function findOwners(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Owner>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('account')
    .select(OWNER_COLUMNS)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.ownerId, row]));
}

/** The owners of drives, by the ids of the drives. */
async function findOwnersOfDrives(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Owner>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('drive')
    .innerJoin('account', 'account.id', 'drive.account_id')
    .select(['drive.id as driveId', ...OWNER_COLUMNS])
    .where('drive.id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ driveId, ...owner }) => [driveId, owner]));
}

/**
 * Makes the items of a list from rows and the owners of their drives. Leaves out rows whose owner has been
 * deleted meanwhile, and rows for which `toItem` returns undefined.
 */
export async function toOwnedItems<Row, Item>(
  db: Db,
  rows: readonly Row[],
  driveIdOf: (row: Row) => number,
  toItem: (row: Row, owner: Owner) => Item | undefined,
): Promise<readonly Item[]> {
  const owners = await findOwnersOfDrives(db, rows.map(driveIdOf));
  return rows.flatMap((row) => {
    const owner = owners.get(driveIdOf(row));
    return (owner && toItem(row, owner)) ?? [];
  });
}

/** A subquery for the ids of accounts whose username, e-mail address or phone number contains the text. */
export function accountIdsMatching(query: string): Expression<number> {
  return sql<number>`(select account.id from account where ${containsText('account.folded_username', query)}
    or ${containsText('account.folded_email', query)} or ${containsText('account.phone_number', query)})`;
}

/** A subquery for the ids of the drives of accounts that {@link accountIdsMatching} finds. */
export function driveIdsMatching(query: string): Expression<number> {
  return sql<number>`(select drive.id from drive where drive.account_id in ${accountIdsMatching(query)})`;
}
