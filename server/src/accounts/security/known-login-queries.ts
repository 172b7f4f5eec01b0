import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../database/database.ts';

interface KnownLogin {
  readonly accountId: number;
  readonly key: string;
  readonly now: Instant;
}

/** Returns false if the account has not logged in from there before. */
export async function useKnownLogin(tx: Tx, { accountId, key, now }: KnownLogin): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('known_login')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether the account has logged in before. */
export async function hasKnownLogin(tx: Tx, accountId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('known_login')
    .select('key')
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertKnownLogin(tx: Tx, { accountId, key, now }: KnownLogin): Promise<void> {
  await tx.insertInto('known_login').values({ account_id: accountId, key, used_at: now }).execute();
}

/** Keeps this login and the `others` that were used last. */
export async function deleteOldestKnownLogins(
  tx: Tx,
  { accountId, key, others }: Omit<KnownLogin, 'now'> & { readonly others: number },
): Promise<void> {
  await tx
    .deleteFrom('known_login')
    .where('account_id', '=', accountId)
    .where('key', '<>', key)
    .where('key', 'not in', (kept) =>
      kept
        .selectFrom('known_login')
        .select('key')
        .where('account_id', '=', accountId)
        .where('key', '<>', key)
        .orderBy('used_at', 'desc')
        .orderBy('key')
        .limit(others),
    )
    .execute();
}
