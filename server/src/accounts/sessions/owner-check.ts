import { type Clock, MINUTE } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { CredentialLimiter } from '../../limits/limits.ts';
import { checkNotBanned } from '../account-rules.ts';
import { limitOwnGuesses } from '../guess-limits.ts';
import { verifyPassword } from '../passwords/passwords.ts';
import { findCredentials, lockAccount } from '../queries.ts';
import { findSessionStart } from './queries.ts';

/** An account without a password proves its owner by a login that is not older. */
const MAX_LOGIN_AGE_MS = 5 * MINUTE;

/** Checks once more that a caller is the owner of the account, before a change that weakens its protection. */
export class OwnerCheck {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #limiter: CredentialLimiter;

  constructor(parts: { database: Database; clock: Clock; limiter: CredentialLimiter }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#limiter = parts.limiter;
  }

  /**
   * Runs the work in a transaction that has locked the account, if the password is right, or, for an account
   * without one, if the login is recent.
   * @throws Failure `invalid` if the password is missing; `rejected` if it is wrong; `forbidden` if the login is
   *   too old, or the account is banned
   */
  async run<T>(
    caller: Caller,
    { password, address }: { password: string | undefined; address: string },
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const { accountId } = caller;
    const credentials = await findCredentials(this.#database.db, { id: accountId });
    const verifiedHash = credentials?.passwordHash ?? null;
    if (verifiedHash === null) return this.#runAfter(caller, verifiedHash, work);
    if (password === undefined) throw new Failure('invalid', 'password is missing.');
    await this.#limiter.attempt(limitOwnGuesses(address, accountId), async () => {
      if (!(await verifyPassword(verifiedHash, password, caller))) throw wrongPassword();
    });
    return this.#runAfter(caller, verifiedHash, work);
  }

  #runAfter<T>(caller: Caller, verifiedHash: string | null, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#database.transact(async (tx) => {
      const account = await lockAccount(tx, caller.accountId);
      checkNotBanned(account);
      if (account.passwordHash !== verifiedHash) throw wrongPassword();
      if (verifiedHash === null) await this.#checkLoginIsRecent(tx, caller);
      return work(tx);
    });
  }

  async #checkLoginIsRecent(tx: Tx, { sessionId }: Caller): Promise<void> {
    const startedAt = await findSessionStart(tx, sessionId);
    if (startedAt !== undefined && startedAt >= this.#clock.now() - MAX_LOGIN_AGE_MS) return;
    throw new Failure('forbidden', 'Please log in again, and then do this within 5 minutes.');
  }
}

export function wrongPassword(): Failure {
  return new Failure('rejected', 'The current password is wrong.');
}
