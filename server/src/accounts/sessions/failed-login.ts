/** A login with a wrong name, password or code, for the log: it has none of them. */
export interface FailedLogin {
  readonly address: string;
  /** Whose name was given; absent for a name that nobody has. */
  readonly accountId?: number;
  /** Where it is not the credential alone. */
  readonly reason?: string;
}
