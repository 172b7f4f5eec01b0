import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';
import { conflictOn } from '../../database/unique-violations.ts';
import type { LoginMethods } from '../security/login-methods.ts';
import { hasOtherLoginMethod } from '../security/queries.ts';

export async function findIdentity(
  db: Db,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<{ readonly id: number; readonly accountId: number } | undefined> {
  return db
    .selectFrom('identity')
    .select(['id', 'account_id as accountId'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

export async function hasIdentity(db: Db, accountId: number, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('identity')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** @throws Failure `conflict` if the identity belongs to an account already */
export async function insertIdentity(
  tx: Tx,
  identity: { accountId: number; issuer: string; subject: string; now: Instant },
): Promise<number> {
  const { accountId, issuer, subject, now } = identity;
  const { id } = await tx
    .insertInto('identity')
    .values({ account_id: accountId, issuer, subject, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(conflictOn({ 'identity(issuer, subject)': 'This identity belongs to an account already.' }));
  return id;
}

/**
 * Deletes an identity, unless it is the last way to log in to the account. The transaction must have locked
 * the account. Returns its issuer; undefined if it was not deleted.
 */
export async function deleteIdentity(
  tx: Tx,
  { accountId, id, methods }: { accountId: number; id: number; methods: LoginMethods },
): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('identity')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where(hasOtherLoginMethod(accountId, methods, { identityId: id }))
    .returning('issuer')
    .executeTakeFirst();
  return deleted?.issuer;
}

/**
 * Deletes an identity, even the last way to log in. Returns its issuer; undefined if there is no such
 * identity.
 */
export async function deleteAnyIdentity(tx: Tx, accountId: number, id: number): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('identity')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('issuer')
    .executeTakeFirst();
  return deleted?.issuer;
}

/** Deletes all identities of an account. There are few: `Identities` limits them. */
export async function deleteIdentitiesOf(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('identity').where('account_id', '=', accountId).execute();
}

/** Returns the usernames that are taken, in folded form. */
export async function findTakenUsernames(db: Db, folded: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('account')
    .select('folded_username as folded')
    .where('folded_username', 'in', folded)
    .execute();
  return new Set(rows.map((row) => row.folded));
}

export async function isEmailTaken(db: Db, foldedEmail: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('folded_email', '=', foldedEmail)
    .executeTakeFirst();
  return row !== undefined;
}
