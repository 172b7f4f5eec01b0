import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
import type { LoginMethods } from './login-methods.ts';

/** What protects an account. */
interface Protection {
  readonly hasTotp: boolean;
  readonly recoveryCodesLeft: number;
  readonly passkeys: number;
  readonly hasPassword: boolean;
}

export async function findProtection(db: Db, accountId: number): Promise<Protection | undefined> {
  const row = await db
    .selectFrom('account')
    .leftJoin('totp', 'totp.account_id', 'account.id')
    .select(['account.password_hash as passwordHash', 'totp.confirmed_at as confirmedAt'])
    .select((select) =>
      select
        .selectFrom('recovery_code')
        .select((code) => code.fn.countAll<number>().as('count'))
        .whereRef('recovery_code.account_id', '=', 'account.id')
        .as('recoveryCodesLeft'),
    )
    .select((select) =>
      select
        .selectFrom('passkey')
        .select((passkey) => passkey.fn.countAll<number>().as('count'))
        .whereRef('passkey.account_id', '=', 'account.id')
        .as('passkeys'),
    )
    .where('account.id', '=', accountId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    hasTotp: row.confirmedAt !== null,
    recoveryCodesLeft: Number(row.recoveryCodesLeft),
    passkeys: Number(row.passkeys),
    hasPassword: row.passwordHash !== null,
  };
}

/** An identity, as its owner sees it. */
interface Identity {
  readonly id: number;
  readonly issuer: string;
  readonly createdAt: Instant;
}

/** The identities of the account, in the order in which they were linked. */
export async function listIdentities(db: Db, accountId: number): Promise<readonly Identity[]> {
  return db
    .selectFrom('identity')
    .select(['id', 'issuer', 'created_at as createdAt'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

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
 * Whether people can log in to the account without this passkey or identity. A condition for the statement
 * that deletes it. The transaction must have locked the account: otherwise two requests could each delete one
 * of the last two.
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

/** When the session was started by a login; undefined if it has ended. */
export async function findSessionStart(tx: Tx, id: string): Promise<Instant | undefined> {
  const session = await tx
    .selectFrom('session')
    .select('created_at as createdAt')
    .where('id', '=', id)
    .executeTakeFirst();
  return session?.createdAt;
}

/** Databases limit the number of parameters per statement. */
const MAX_PARAMETERS = 1_000;

/** Returns the ids of the sessions that exist and whose account is not banned. */
export async function findLiveSessions(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const live = new Set<string>();
  for (let from = 0; from < ids.length; from += MAX_PARAMETERS) {
    const rows = await db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account_id')
      .select('session.id')
      .where('session.id', 'in', ids.slice(from, from + MAX_PARAMETERS))
      .where('account.banned', '=', 0)
      .execute();
    for (const { id } of rows) live.add(id);
  }
  return live;
}

/** Marks a ticket as used. Of several racing requests, one gets true. */
export async function insertUsedTicket(tx: Tx, id: string, expiresAt: Instant): Promise<boolean> {
  const inserted = await tx
    .insertInto('used_login_ticket')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}
