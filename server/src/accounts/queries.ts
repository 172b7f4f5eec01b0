import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Role } from '../base/domain/accounts.ts';
import { Failure } from '../base/failure.ts';
import type { Db, Tx } from '../database/database.ts';
import { checkNotBanned, foldUsername } from './account-rules.ts';
import { deleteTokensOf } from './mailed-tokens/queries.ts';

export interface Account {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly email: string | null;
  /** Null while the address is not verified. */
  readonly emailVerifiedAt: Instant | null;
  readonly phoneNumber: string | null;
  readonly bio: string | null;
  readonly preferredLanguage: string | null;
  readonly firstStepsHidden: 0 | 1;
  readonly avatarBlobId: number | null;
  readonly role: Role;
  readonly banned: 0 | 1;
  readonly mustChangePassword: 0 | 1;
  readonly createdAt: Instant;
  /** When the deletion of the account began; null if it is not being deleted. */
  readonly deletingAt: Instant | null;
}

/** An account with the limits of its personal drive and their usage. */
export interface AccountWithUsage extends Account {
  readonly driveId: number;
  readonly quotaBytes: number;
  readonly usedBytes: number;
  /** The bytes of the recycle bin and of former versions. */
  readonly keptBytes: number;
  readonly maxUploadBytes: number;
  readonly maxEntries: number;
  readonly entryCount: number;
}

/** What a login is checked against. Must not be used outside this folder. */
interface Credentials {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string | null;
  readonly banned: 0 | 1;
}

interface NewAccount {
  readonly username: string;
  readonly foldedUsername: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly foldedEmail: string | null;
  readonly emailVerifiedAt: Instant | null;
  readonly phoneNumber: string | null;
  readonly preferredLanguage: string | null;
  readonly passwordHash: string | null;
  readonly mustChangePassword: boolean;
  readonly role: Role;
  readonly createdAt: Instant;
}

export interface ProfileChanges {
  readonly display_name?: string;
  readonly email?: string | null;
  readonly folded_email?: string | null;
  readonly phone_number?: string | null;
  readonly bio?: string | null;
  readonly preferred_language?: string | null;
  readonly first_steps_hidden?: 0 | 1;
}

const COLUMNS = [
  'account.id',
  'username',
  'display_name as displayName',
  'email',
  'email_verified_at as emailVerifiedAt',
  'phone_number as phoneNumber',
  'bio',
  'preferred_language as preferredLanguage',
  'first_steps_hidden as firstStepsHidden',
  'avatar_blob_id as avatarBlobId',
  'role',
  'banned',
  'must_change_password as mustChangePassword',
  'account.created_at as createdAt',
  'deleting_at as deletingAt',
] as const;

const USAGE_COLUMNS = [
  'drive.id as driveId',
  'drive.quota_bytes as quotaBytes',
  'drive.used_bytes as usedBytes',
  'drive.kept_bytes as keptBytes',
  'drive.max_upload_bytes as maxUploadBytes',
  'drive.max_entries as maxEntries',
  'drive.entry_count as entryCount',
] as const;

/** Returns the id. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<number> {
  const { id } = await tx
    .insertInto('account')
    .values({
      username: account.username,
      folded_username: account.foldedUsername,
      display_name: account.displayName,
      email: account.email,
      folded_email: account.foldedEmail,
      email_verified_at: account.emailVerifiedAt,
      phone_number: account.phoneNumber,
      preferred_language: account.preferredLanguage,
      password_hash: account.passwordHash,
      must_change_password: account.mustChangePassword ? 1 : 0,
      role: account.role,
      banned: 0,
      created_at: account.createdAt,
      updated_at: account.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function findAccount(db: Db, id: number): Promise<AccountWithUsage | undefined> {
  return db
    .selectFrom('account')
    .innerJoin('drive', 'drive.account_id', 'account.id')
    .select([...COLUMNS, ...USAGE_COLUMNS])
    .where('account.id', '=', id)
    .executeTakeFirst();
}

export function noAccount(): Failure {
  return new Failure('not-found', 'There is no such account.');
}

/** @throws Failure `not-found` */
export async function getAccount(db: Db, id: number): Promise<AccountWithUsage> {
  const account = await findAccount(db, id);
  if (account === undefined) throw noAccount();
  return account;
}

export async function findCredentials(
  db: Db,
  by: { id: number } | { foldedUsername: string },
): Promise<Credentials | undefined> {
  const query = db
    .selectFrom('account')
    .select(['id', 'username', 'password_hash as passwordHash', 'banned']);
  const found =
    'id' in by ? query.where('id', '=', by.id) : query.where('folded_username', '=', by.foldedUsername);
  return found.executeTakeFirst();
}

/** An account that a transaction has locked. */
export type LockedAccount = Account & Pick<Credentials, 'passwordHash'>;

/**
 * Locks the account until the transaction ends, so that the returned values cannot change before.
 * @throws Failure `not-found`
 */
export async function lockAccount(tx: Tx, id: number): Promise<LockedAccount> {
  const account = await tx
    .updateTable('account')
    .set((account) => ({ updated_at: account.ref('updated_at') }))
    .where('id', '=', id)
    .returning([...COLUMNS, 'password_hash as passwordHash'])
    .executeTakeFirst();
  if (account === undefined) throw noAccount();
  return account;
}

/**
 * Like {@link lockAccount}, so that the account cannot be banned before the transaction ends.
 * @throws Failure `forbidden` if it is banned; `not-found`
 */
export async function lockActiveAccount(tx: Tx, id: number): Promise<LockedAccount> {
  const account = await lockAccount(tx, id);
  checkNotBanned(account);
  return account;
}

/** Accounts that have the username, the e-mail address or the phone number. Each must be unique. */
export async function findTaken(
  db: Db,
  wanted: { foldedUsername: string; foldedEmail: string; phoneNumber: string },
): Promise<readonly { foldedUsername: string; foldedEmail: string | null; phoneNumber: string | null }[]> {
  return db
    .selectFrom('account')
    .select([
      'folded_username as foldedUsername',
      'folded_email as foldedEmail',
      'phone_number as phoneNumber',
    ])
    .where((where) =>
      where.or([
        where('folded_username', '=', wanted.foldedUsername),
        where('folded_email', '=', wanted.foldedEmail),
        where('phone_number', '=', wanted.phoneNumber),
      ]),
    )
    .execute();
}

/** Another e-mail address is not verified. The same one keeps its state. */
export async function updateProfile(
  tx: Tx,
  id: number,
  changes: ProfileChanges,
  now: Instant,
): Promise<void> {
  const { folded_email: foldedEmail } = changes;
  const verification =
    foldedEmail === undefined
      ? {}
      : {
          email_verified_at: sql<Instant | null>`case when folded_email = ${foldedEmail}
          then email_verified_at end`,
        };
  await tx
    .updateTable('account')
    .set({ ...changes, ...verification, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/**
 * Sets a password that the user chose, so the user no longer has to change it. Mailed links for a new password
 * end.
 */
export async function setOwnPasswordHash(
  tx: Tx,
  id: number,
  passwordHash: string,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ password_hash: passwordHash, must_change_password: 0, updated_at: now })
    .where('id', '=', id)
    .execute();
  await deleteTokensOf(tx, id, 'PASSWORD_RESET');
}

/**
 * Sets a password that someone else chose. Does not change whether the user must replace it. Mailed links for
 * a new password end.
 */
export async function setPasswordHash(tx: Tx, id: number, passwordHash: string, now: Instant): Promise<void> {
  await tx
    .updateTable('account')
    .set({ password_hash: passwordHash, updated_at: now })
    .where('id', '=', id)
    .execute();
  await deleteTokensOf(tx, id, 'PASSWORD_RESET');
}

export async function setBanned(tx: Tx, id: number, banned: boolean, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ banned: banned ? 1 : 0, updated_at: now })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Marks an account as being deleted. No one can log in to it any more, and other accounts can take its
 * username, e-mail address and phone number.
 */
export async function markDeleting(tx: Tx, { id, username }: Account, now: Instant): Promise<void> {
  await tx
    .updateTable('account')
    .set({
      // Usernames contain no colon, so this never equals one.
      folded_username: `${foldUsername(username)}:${id}`,
      email: null,
      folded_email: null,
      email_verified_at: null,
      phone_number: null,
      password_hash: null,
      banned: 1,
      deleting_at: now,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute();
}

/** The accounts that are being deleted, oldest deletion first. */
export async function findDeleting(db: Db): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('account')
    .select('id')
    .where('deleting_at', 'is not', null)
    .orderBy('deleting_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes the row of an account to which nothing refers any more. */
export async function deleteAccount(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('account').where('id', '=', id).execute();
}

/** Locks the set of admins until the transaction ends: no other transaction can add or remove an admin. */
export async function lockAdmins(tx: Tx, now: Instant): Promise<void> {
  await sql`insert into setting (name, value, updated_at) values ('admins-held', '', ${now})
    on conflict (name) do update set updated_at = excluded.updated_at`.execute(tx);
}

/** Whether there is another admin who is not banned. */
export async function hasOtherAdmin(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('account')
    .select('id')
    .where('role', '=', 'ADMIN')
    .where('banned', '=', 0)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function setRole(tx: Tx, id: number, role: Role, now: Instant): Promise<void> {
  await tx.updateTable('account').set({ role, updated_at: now }).where('id', '=', id).execute();
}

export async function setAvatar(tx: Tx, id: number, blobId: number | null, now: Instant): Promise<void> {
  await tx
    .updateTable('account')
    .set({ avatar_blob_id: blobId, updated_at: now })
    .where('id', '=', id)
    .execute();
}

interface Picture {
  readonly blobId: number;
  readonly policyId: number;
  readonly objectKey: string;
  readonly size: number;
  readonly sha256: string | null;
  readonly contentType: string | null;
  readonly createdAt: Instant;
}

export async function findAvatar(db: Db, id: number): Promise<Picture | undefined> {
  return db
    .selectFrom('account')
    .innerJoin('blob', 'blob.id', 'account.avatar_blob_id')
    .select([
      'blob.id as blobId',
      'blob.policy_id as policyId',
      'blob.object_key as objectKey',
      'blob.size',
      'blob.sha256',
      'blob.content_type as contentType',
      'blob.created_at as createdAt',
    ])
    .where('account.id', '=', id)
    .executeTakeFirst();
}
