/** A failed login, for the log. It contains neither the name nor the password or code that was sent. */
export interface FailedLogin {
  readonly address: string;
  /** The account whose name was sent; absent for an unknown name. */
  readonly accountId?: number;
  /** Why the login failed, if the credential alone does not explain it. */
  readonly reason?: string;
}
