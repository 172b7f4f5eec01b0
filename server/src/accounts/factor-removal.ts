import type { Tx } from '../database/database.ts';
import { deletePasskeysOf } from './passkeys/queries.ts';
import { deleteRecoveryCodesOf, deleteTotp } from './second-factor/queries.ts';

/** The second factors that were removed from an account. */
export interface RemovedFactors {
  readonly totp: boolean;
  readonly passkeys: number;
}

/** Removes every second factor of an account: the authenticator app, the recovery codes and the passkeys. */
export async function removeFactors(tx: Tx, accountId: number): Promise<RemovedFactors> {
  await deleteRecoveryCodesOf(tx, accountId);
  return { totp: await deleteTotp(tx, accountId), passkeys: await deletePasskeysOf(tx, accountId) };
}

export function hadFactors({ totp, passkeys }: RemovedFactors): boolean {
  return totp || passkeys > 0;
}
