import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';

/** The authenticator app of an account. */
export interface Totp {
  readonly sealedSecret: string;
  /** Null until the owner has entered a code from it. */
  readonly confirmedAt: Instant | null;
  readonly createdAt: Instant;
}

export async function findTotp(db: Db, accountId: number): Promise<Totp | undefined> {
  return db
    .selectFrom('totp')
    .select(['sealed_secret as sealedSecret', 'confirmed_at as confirmedAt', 'created_at as createdAt'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/**
 * Stores an unconfirmed secret. It replaces an earlier unconfirmed one. Returns false if an app is confirmed.
 */
export async function upsertUnconfirmedTotp(
  tx: Tx,
  accountId: number,
  sealedSecret: string,
  now: Instant,
): Promise<boolean> {
  const stored = await tx
    .insertInto('totp')
    .values({ account_id: accountId, sealed_secret: sealedSecret, confirmed_at: null, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ sealed_secret: sealedSecret, created_at: now })
        .where('totp.confirmed_at', 'is', null),
    )
    .returning('account_id')
    .executeTakeFirst();
  return stored !== undefined;
}

/**
 * Confirms the secret with a code of the step. Of several racing requests, one gets true.
 * @param change.unconfirmed the sealed secret as it is stored
 * @param change.confirmed the same secret, sealed for the account
 */
export async function confirmTotp(
  tx: Tx,
  accountId: number,
  {
    unconfirmed,
    confirmed,
    step,
    now,
  }: { unconfirmed: string; confirmed: string; step: number; now: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp')
    .set({ sealed_secret: confirmed, confirmed_at: now, last_step: step })
    .where('account_id', '=', accountId)
    .where('sealed_secret', '=', unconfirmed)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Marks the code of a step, and those of all earlier steps, as used. Of several racing requests, one gets
 * true.
 * @param change.sealedSecret the secret that the code was computed with
 */
export async function useTotpStep(
  tx: Tx,
  accountId: number,
  { sealedSecret, step }: { sealedSecret: string; step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('sealed_secret', '=', sealedSecret)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns false if the account had no confirmed app. */
export async function deleteTotp(tx: Tx, accountId: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('totp')
    .where('account_id', '=', accountId)
    .returning('confirmed_at as confirmedAt')
    .executeTakeFirst();
  return deleted !== undefined && deleted.confirmedAt !== null;
}

export async function insertRecoveryCodes(
  tx: Tx,
  accountId: number,
  hashes: readonly string[],
): Promise<void> {
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ code_hash: hash, account_id: accountId })))
    .execute();
}

/** Deletes a code that is being used. Of several racing requests, one gets true. */
export async function deleteRecoveryCode(tx: Tx, accountId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_code')
    .where('code_hash', '=', hash)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteRecoveryCodesOf(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
}
