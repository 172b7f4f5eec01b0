import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';

/** A passkey as its owner sees it. */
export interface Passkey {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** What an authenticator has made. Ids, keys and handles are base64url. */
export interface NewPasskey {
  readonly accountId: number;
  readonly name: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly userHandle: string;
  readonly transports: readonly string[];
  readonly signCount: number;
}

/** What a login is checked against. */
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
 * Stores the signature counter of a login. Gives false if it has not grown, or if the passkey is gone: of several
 * racing logins with one counter, one gets true. An authenticator without a counter always sends 0.
 */
export async function putSignCount(tx: Tx, id: number, signCount: number, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkey')
    .set({ sign_count: signCount, last_used_at: now })
    .where('id', '=', id)
    .where((where) => (signCount === 0 ? where('sign_count', '=', 0) : where('sign_count', '<', signCount)))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Deletes a passkey, unless the account could not log in any more without it. The transaction must have locked the
 * account, or two requests could each delete one of the last two ways.
 * @param issuers how the provider that people can log in with now may be spelled; identities of others are no way
 *   to log in
 */
export async function deletePasskey(
  tx: Tx,
  { accountId, id, issuers }: { accountId: number; id: number; issuers: readonly string[] },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where(({ or, exists, selectFrom }) => {
      const account = selectFrom('account').select('account.id').where('account.id', '=', accountId);
      const identities = selectFrom('identity')
        .select('identity.id')
        .where('identity.account_id', '=', accountId);
      const others = selectFrom('passkey as other')
        .select('other.id')
        .where('other.account_id', '=', accountId)
        .where('other.id', '!=', id);
      return or([
        exists(account.where('account.password_hash', 'is not', null)),
        ...(issuers.length === 0 ? [] : [exists(identities.where('identity.issuer', 'in', issuers))]),
        exists(others),
      ]);
    })
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Gives how many there were. */
export async function deletePasskeysOf(tx: Tx, accountId: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkey')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
