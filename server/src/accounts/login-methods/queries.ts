import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
import type { LoginMethods } from './login-methods.ts';

/** No passkey and no identity has this id. */
const NONE = 0;

/** Whether the account of the query has a second factor that can be used here: 1 or 0. */
export function hasUsableFactor(methods: LoginMethods): RawBuilder<Flag> {
  return sql<Flag>`case
    when exists (select 1 from totp where totp.account_id = account.id and totp.confirmed_at is not null) then 1
    when ${hasPasskey(methods, NONE)} then 1
    when ${hasIdentity(methods, NONE)} then 1
    else 0 end`;
}

/**
 * Whether people can log in to the account without the passkey or the identity. For a condition of a
 * statement that deletes it, in a transaction that has locked the account: otherwise two requests could each
 * delete one of the last two.
 */
export function hasOtherLoginMethod(
  accountId: number,
  methods: LoginMethods,
  without: { readonly passkeyId: number } | { readonly identityId: number },
): RawBuilder<SqlBool> {
  const passkeyId = 'passkeyId' in without ? without.passkeyId : NONE;
  const identityId = 'identityId' in without ? without.identityId : NONE;
  return sql<SqlBool>`exists (select 1 from account where account.id = ${accountId} and (
    account.password_hash is not null
    or ${hasPasskey(methods, passkeyId)}
    or ${hasIdentity(methods, identityId)}))`;
}

function hasPasskey({ passkeysWork }: LoginMethods, exceptId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${passkeysWork} = 1 and exists (
    select 1 from passkey as usable where usable.account_id = account.id and usable.id <> ${exceptId}))`;
}

function hasIdentity({ issuer, issuerWithSlash }: LoginMethods, exceptId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from identity as usable where usable.account_id = account.id and usable.id <> ${exceptId}
    and usable.issuer in (${issuer}, ${issuerWithSlash}))`;
}

export async function findHasUsableFactor(
  db: Db,
  accountId: number,
  methods: LoginMethods,
): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select(hasUsableFactor(methods).as('has'))
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.has === 1;
}
