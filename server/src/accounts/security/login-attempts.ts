import {
  byAddress,
  CREDENTIALS_BY_ACCOUNT,
  CREDENTIALS_BY_ADDRESS,
  CREDENTIALS_BY_ADDRESS_AND_ACCOUNT,
  type Limit,
} from '../../limits/limits.ts';

/** The ways to log in. `code` is that of an authenticator app, after the password. */
export const LOGIN_METHODS = ['password', 'code', 'passkey', 'single-sign-on', 'app-password'] as const;

type LoginMethod = (typeof LOGIN_METHODS)[number];

/** A failed login, for the log. It contains neither the name nor the password or code that was sent. */
export interface FailedLogin {
  readonly method: LoginMethod;
  readonly address: string;
  /** The account whose name was sent; absent for an unknown name. */
  readonly accountId?: number;
  /** Why the login failed, if the credential alone does not explain it. */
  readonly reason?: string;
}

/**
 * The limits for guessing a password or a code.
 * @param account the key under which failures count, besides the address
 */
export function limitGuesses(address: string, account: string | undefined): readonly Limit[] {
  const perAddress = byAddress(CREDENTIALS_BY_ADDRESS, address);
  if (account === undefined) return [perAddress];
  return [
    perAddress,
    byAddress(CREDENTIALS_BY_ADDRESS_AND_ACCOUNT, address, account),
    { rule: CREDENTIALS_BY_ACCOUNT, key: account },
  ];
}

/**
 * The limits for guesses by someone who is logged in. No username begins with "#", so these failures count
 * separately from those of logins.
 */
export function limitOwnGuesses(address: string, accountId: number): readonly Limit[] {
  return limitGuesses(address, `#${accountId}`);
}
