import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { TokenKind } from '../../base/domain/accounts.ts';
import type { Db, Tx } from '../../database/database.ts';

export interface NewToken {
  readonly hash: string;
  readonly kind: TokenKind;
  readonly accountId: number;
  /** The address that the token is mailed to. */
  readonly foldedEmail: string;
  readonly expiresAt: Instant;
}

export interface TokenToSpend {
  readonly hash: string;
  readonly kind: TokenKind;
  readonly now: Instant;
}

/** An account that can get a mail with a token. */
export interface Recipient {
  readonly id: number;
  readonly displayName: string;
  readonly email: string;
  readonly preferredLanguage: string | null;
}

/** The account whose password can be reset by mail to this address; undefined if there is none. */
export async function findResettable(tx: Tx, foldedEmail: string): Promise<Recipient | undefined> {
  const account = await tx
    .selectFrom('account')
    .select(['id', 'display_name as displayName', 'email', 'preferred_language as preferredLanguage'])
    .where('folded_email', '=', foldedEmail)
    .where(hasResettablePassword())
    .where(isActive())
    .executeTakeFirst();
  if (account === undefined || account.email === null) return undefined;
  return { ...account, email: account.email };
}

/**
 * Stores a token that is good for one address. Stores nothing if the account does not have that address any
 * more: the token must never be good for an address that it was not mailed to.
 */
export async function insertToken(tx: Tx, token: NewToken): Promise<void> {
  const { hash, kind, accountId, foldedEmail, expiresAt } = token;
  // PostgreSQL needs the casts, because it does not derive the types of a select's values.
  await sql`
    insert into account_token (token_hash, kind, account_id, folded_email, expires_at)
    select cast(${hash} as text), cast(${kind} as text), id, folded_email, cast(${expiresAt} as bigint)
    from account where id = ${accountId} and folded_email = ${foldedEmail}`.execute(tx);
}

/** Deletes the oldest tokens of this kind, except the new one and `others` more. */
export async function deleteOldestTokens(
  tx: Tx,
  { hash, kind, accountId }: Pick<NewToken, 'hash' | 'kind' | 'accountId'>,
  others: number,
): Promise<void> {
  await tx
    .deleteFrom('account_token')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('token_hash', '!=', hash)
    .where('token_hash', 'not in', (query) =>
      query
        .selectFrom('account_token as kept')
        .select('kept.token_hash')
        .where('kept.account_id', '=', accountId)
        .where('kept.kind', '=', kind)
        .where('kept.token_hash', '!=', hash)
        .orderBy('kept.expires_at', 'desc')
        .orderBy('kept.token_hash')
        .limit(others),
    )
    .execute();
}

/** The account for which the token can be spent; undefined if it cannot be spent. */
export async function findTokenOwner(
  db: Db,
  { hash, kind, now }: TokenToSpend,
): Promise<{ readonly id: number; readonly username: string } | undefined> {
  return db
    .selectFrom('account_token')
    .innerJoin('account', 'account.id', 'account_token.account_id')
    .select(['account.id', 'account.username'])
    .where('token_hash', '=', hash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .where(isGoodFor(kind))
    .executeTakeFirst();
}

/**
 * Spends a token, if it is still good for its account. Of several racing requests, one gets true. The
 * transaction must have locked the account.
 */
export async function spendToken(tx: Tx, { hash, kind, now }: TokenToSpend): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('account_token')
    .where('token_hash', '=', hash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .where(sql<SqlBool>`exists (
      select 1 from account where account.id = account_token.account_id and ${isGoodFor(kind)})`)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Deletes all tokens of this kind. There are few. */
export async function deleteTokensOf(tx: Tx, accountId: number, kind: TokenKind): Promise<void> {
  await tx.deleteFrom('account_token').where('account_id', '=', accountId).where('kind', '=', kind).execute();
}

/** Marks the address of the account as verified. The transaction has spent a token for that address. */
export async function setEmailVerified(tx: Tx, accountId: number, now: Instant): Promise<void> {
  await tx
    .updateTable('account')
    .set({ email_verified_at: now, updated_at: now })
    .where('id', '=', accountId)
    .execute();
}

/** Whether the token of the query is good for the account of the query. */
function isGoodFor(kind: TokenKind): RawBuilder<SqlBool> {
  const isForAddress = sql<SqlBool>`(account.folded_email = account_token.folded_email and ${isActive()})`;
  if (kind === 'EMAIL_VERIFICATION') return isForAddress;
  return sql<SqlBool>`(${isForAddress} and ${hasResettablePassword()})`;
}

function isActive(): RawBuilder<SqlBool> {
  return sql<SqlBool>`(account.banned = 0 and account.deleting_at is null)`;
}

function hasResettablePassword(): RawBuilder<SqlBool> {
  return sql<SqlBool>`(account.password_hash is not null and account.email_verified_at is not null)`;
}
