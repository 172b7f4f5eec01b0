import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { LoginMethods } from '../security/login-methods.ts';
import { hasOtherLoginMethod } from '../security/queries.ts';

/** A passkey as its owner sees it. */
export interface Passkey {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** A passkey to store. Ids, keys and handles are base64url. */
interface NewPasskey {
  readonly accountId: number;
  readonly name: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly userHandle: string;
  readonly transports: readonly string[];
  readonly signCount: number;
}

/** What a login is verified against. */
export interface KnownPasskey {
  readonly id: number;
  readonly accountId: number;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly userHandle: string;
}

const COLUMNS = ['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'] as const;

export async function insertPasskey(tx: Tx, passkey: NewPasskey, now: Instant): Promise<Passkey> {
  return tx
    .insertInto('passkey')
    .values({
      account_id: passkey.accountId,
      name: passkey.name,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      user_handle: passkey.userHandle,
      transports: passkey.transports.join(' '),
      sign_count: passkey.signCount,
      created_at: now,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Newest first. */
export async function listPasskeys(db: Db, accountId: number): Promise<readonly Passkey[]> {
  return db
    .selectFrom('passkey')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute();
}

/** The passkeys of an account as authenticators know them. */
export async function listCredentials(
  db: Db,
  accountId: number,
): Promise<readonly { credentialId: string; userHandle: string; transports: readonly string[] }[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['credential_id as credentialId', 'user_handle as userHandle', 'transports'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, transports: row.transports.split(' ').filter(Boolean) }));
}

export async function findPasskey(db: Db, credentialId: string): Promise<KnownPasskey | undefined> {
  return db
    .selectFrom('passkey')
    .select(['id', 'account_id as accountId', 'credential_id as credentialId'])
    .select(['public_key as publicKey', 'user_handle as userHandle'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

export async function countPasskeys(tx: Tx, accountId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('passkey')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Stores the signature counter of a login. Returns false if the counter has not grown, or if the passkey was
 * deleted. Of several racing logins with the same counter, one gets true. An authenticator without a counter
 * always sends 0.
 */
export async function updateSignCount(tx: Tx, id: number, signCount: number, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkey')
    .set({ sign_count: signCount, last_used_at: now })
    .where('id', '=', id)
    .where((where) => (signCount === 0 ? where('sign_count', '=', 0) : where('sign_count', '<', signCount)))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Deletes a passkey, unless it is the last way to log in to the account. The transaction must have locked the
 * account. Returns its name; undefined if it was not deleted.
 */
export async function deletePasskey(
  tx: Tx,
  { accountId, id, methods }: { accountId: number; id: number; methods: LoginMethods },
): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where(hasOtherLoginMethod(accountId, methods, { passkeyId: id }))
    .returning('name')
    .executeTakeFirst();
  return deleted?.name;
}

/** Deletes all passkeys of an account. Returns how many there were. */
export async function deletePasskeysOf(tx: Tx, accountId: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkey')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
