import type { Ids } from '../../base/ids.ts';
import { checkPassword } from '../account-rules.ts';
import { loadCommonPasswords } from './common-passwords.ts';
import { hashPassword } from './passwords.ts';

const GENERATED_BITS = 120;

/** A password that breaks no rule, hashed in advance, since hashing takes too long for a transaction. */
export interface PreparedPassword {
  readonly password: string;
  readonly hash: string;
}

/**
 * Prepares the password that someone else sets for a user, or a random one.
 * @param setBy the account that sets it; undefined for the operator
 * @throws Failure `invalid` if it breaks a rule
 */
export async function preparePassword(
  ids: Ids,
  username: string,
  wanted: string | undefined,
  setBy?: number,
): Promise<PreparedPassword> {
  const password = wanted ?? ids.token(GENERATED_BITS);
  if (wanted !== undefined) await checkNewPassword(wanted, username);
  const hash = await hashPassword(password, setBy === undefined ? {} : { accountId: setBy });
  return { password, hash };
}

/**
 * @param field the request member that contains the password
 * @throws Failure `invalid` if it breaks a rule
 */
export async function checkNewPassword(password: string, username: string, field?: string): Promise<void> {
  checkPassword(password, username, await loadCommonPasswords(), field);
}
