import { type ExpressionBuilder, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Role } from '../../base/domain/accounts.ts';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
import type { Schema } from '../../database/tables/schema.ts';

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly role: Role;
  readonly banned: 0 | 1;
  readonly deletingAt: Instant | null;
  readonly usedBytes: number;
  readonly quotaBytes: number;
  readonly maxUploadBytes: number;
  readonly maxEntries: number;
  readonly entryCount: number;
  readonly fileCount: number;
  readonly totpConfirmedAt: Instant | null;
  readonly passkeys: number;
  readonly hasPassword: Flag;
  /** The account's identities, in the order in which they were linked. */
  readonly identities: readonly UserIdentity[];
  readonly createdAt: Instant;
  readonly lastActiveAt: Instant | null;
}

/** An identity of single sign-on. */
interface UserIdentity {
  readonly id: number;
  readonly issuer: string;
  readonly createdAt: Instant;
}

export interface UserFilter {
  /** Part of the username, e-mail address or phone number, folded; undefined for all. */
  readonly query: string | undefined;
  /** Undefined for all. */
  readonly role: Role | undefined;
}

/** Accounts that match the filter, newest first. */
export async function findUsers(
  db: Db,
  filter: UserFilter,
  page: PageRequest,
): Promise<{ items: readonly UserRow[]; total: number }> {
  const { total } = await db
    .selectFrom('account')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where((where) => matches(where, filter))
    .executeTakeFirstOrThrow();
  const items = await selectUsers(db)
    .where((where) => matches(where, filter))
    .orderBy('account.id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  return { items: await withIdentities(db, items), total };
}

export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  const rows = await selectUsers(db).where('account.id', '=', id).execute();
  return (await withIdentities(db, rows))[0];
}

/** Adds the identities of all rows with one query. */
async function withIdentities(
  db: Db,
  rows: readonly Omit<UserRow, 'identities'>[],
): Promise<readonly UserRow[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const found = await db
    .selectFrom('identity')
    .select(['id', 'account_id as accountId', 'issuer', 'created_at as createdAt'])
    .where('account_id', 'in', ids)
    .orderBy('id')
    .execute();
  const byAccount = Map.groupBy(found, ({ accountId }) => accountId);
  return rows.map((row) => ({ ...row, identities: byAccount.get(row.id) ?? [] }));
}

function selectUsers(db: Db) {
  return db
    .selectFrom('account')
    .innerJoin('drive', 'drive.account_id', 'account.id')
    .leftJoin('last_activity', 'last_activity.account_id', 'account.id')
    .leftJoin('totp', 'totp.account_id', 'account.id')
    .select([
      'account.id',
      'account.username',
      'account.display_name as displayName',
      'account.email',
      'account.phone_number as phoneNumber',
      'account.role',
      'account.banned',
      'account.deleting_at as deletingAt',
      'drive.used_bytes as usedBytes',
      'drive.quota_bytes as quotaBytes',
      'drive.max_upload_bytes as maxUploadBytes',
      'drive.max_entries as maxEntries',
      'drive.entry_count as entryCount',
      'drive.file_count as fileCount',
      'account.created_at as createdAt',
      'totp.confirmed_at as totpConfirmedAt',
      'last_activity.active_at as lastActiveAt',
    ])
    .select(sql<Flag>`case when account.password_hash is null then 0 else 1 end`.as('hasPassword'))
    .select(sql<number>`(select count(*) from passkey where passkey.account_id = account.id)`.as('passkeys'));
}

function matches(where: ExpressionBuilder<Schema, 'account'>, { query, role }: UserFilter) {
  const columns = ['account.folded_username', 'account.folded_email', 'account.phone_number'];
  const conditions = [
    ...(query === undefined ? [] : [where.or(columns.map((column) => containsText(column, query)))]),
    ...(role === undefined ? [] : [where('account.role', '=', role)]),
  ];
  // Without any condition, this matches every account.
  return where.and(conditions);
}
