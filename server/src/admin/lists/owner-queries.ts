import { type Expression, sql } from 'kysely';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';

/** The account that owns a personal drive, as a list names it. All members are null for a shared drive. */
interface DriveOwner {
  readonly ownerId: number | null;
  readonly ownerUsername: string | null;
  readonly ownerEmail: string | null;
}

/** The drive of a listed row, and its owner. */
export interface OwningDrive extends DriveOwner {
  readonly driveId: number;
  /** Null for a personal drive. */
  readonly driveName: string | null;
}

/** An account, as a list names it. */
export interface NamedAccount {
  readonly username: string;
  readonly email: string | null;
}

/** Accounts by their ids. */
export async function findNamedAccounts(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NamedAccount>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('account')
    .select(['id', 'username', 'email'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, ...account }) => [id, account]));
}

/** Drives and their owners, by the ids of the drives. */
export async function findOwningDrives(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, OwningDrive>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('drive')
    .leftJoin('account', 'account.id', 'drive.account_id')
    .select([
      'drive.id as driveId',
      'drive.name as driveName',
      'account.id as ownerId',
      'account.username as ownerUsername',
      'account.email as ownerEmail',
    ])
    .where('drive.id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.driveId, row]));
}

/**
 * Makes the items of a list from rows and their drives. Leaves out rows whose drive has been deleted meanwhile,
 * and rows for which `toItem` returns undefined.
 */
export async function toOwnedItems<Row, Item>(
  db: Db,
  rows: readonly Row[],
  driveIdOf: (row: Row) => number,
  toItem: (row: Row, drive: OwningDrive) => Item | undefined,
): Promise<readonly Item[]> {
  const drives = await findOwningDrives(db, rows.map(driveIdOf));
  return rows.flatMap((row) => {
    const drive = drives.get(driveIdOf(row));
    return (drive && toItem(row, drive)) ?? [];
  });
}

/** A subquery for the ids of accounts whose username, e-mail address or phone number contains the text. */
export function accountIdsMatching(query: string): Expression<number> {
  return sql<number>`(select account.id from account where ${containsText('account.folded_username', query)}
    or ${containsText('account.folded_email', query)} or ${containsText('account.phone_number', query)})`;
}

/**
 * A subquery for the ids of the personal drives of accounts that {@link accountIdsMatching} finds, and of the
 * shared drives whose names contain the text.
 */
export function driveIdsMatching(query: string): Expression<number> {
  return sql<number>`(select drive.id from drive where drive.account_id in ${accountIdsMatching(query)}
    or ${containsText('drive.folded_name', query)})`;
}
