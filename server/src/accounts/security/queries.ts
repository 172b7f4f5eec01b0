import type { Db } from '../../database/database.ts';

/** What protects an account. */
export interface Protection {
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
