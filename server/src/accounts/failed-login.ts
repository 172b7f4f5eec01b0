/** The ways to log in. `code` is that of an authenticator app, after the password. */
export const LOGIN_METHODS = ['password', 'code', 'passkey', 'single-sign-on', 'app-password'] as const;

export type LoginMethod = (typeof LOGIN_METHODS)[number];

/** A failed login, for the log. It contains neither the name nor the password or code that was sent. */
export interface FailedLogin {
  readonly method: LoginMethod;
  readonly address: string;
  /** The account whose name was sent; absent for an unknown name. */
  readonly accountId?: number;
  /** Why the login failed, if the credential alone does not explain it. */
  readonly reason?: string;
}
