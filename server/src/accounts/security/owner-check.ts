import { type Clock, MINUTE } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { CredentialLimiter } from '../../limits/limits.ts';
import { verifyPassword } from '../passwords/passwords.ts';
import { findCredentials, type LockedAccount, lockActiveAccount } from '../queries.ts';
import { limitOwnGuesses } from './login-attempts.ts';
import { findLiveSessions, findSessionStart } from './queries.ts';

/** The maximum age of a login that counts as proof for an account without a password. */
const MAX_LOGIN_AGE_MS = 5 * MINUTE;

/** The maximum age of a login after which ways to log in can be added and removed without the password. */
const MAX_LOGIN_AGE_FOR_METHODS_MS = 15 * MINUTE;

/** What a caller sends to prove that they are the owner. */
export interface OwnerProof {
  readonly password: string | undefined;
  /** The client's address. Wrong passwords are counted per address. */
  readonly address: string;
}

/** Work in a transaction that has locked the account. */
type OwnerWork<T> = (tx: Tx, account: LockedAccount) => Promise<T>;

interface OwnerCheckParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly limiter: CredentialLimiter;
}

/**
 * Asks the caller for a proof that they are the owner, before a change of the credentials of the account.
 * Otherwise a stolen access token would be enough to weaken the account, or to add a credential that outlives
 * the token.
 */
export class OwnerCheck {
  readonly #parts: OwnerCheckParts;

  constructor(parts: OwnerCheckParts) {
    this.#parts = parts;
  }

  /**
   * Runs work that weakens the account. Requires the right password or, if the account has none, a login that
   * is at most five minutes old.
   * @throws Failure `invalid` if the password is missing; `rejected` if it is wrong; `forbidden` if the login
   *   is too old, or the account is banned; `unauthenticated` if the login has ended
   */
  async runWithPassword<T>(caller: Caller, proof: OwnerProof, work: OwnerWork<T>): Promise<T> {
    const hash = await this.#findHash(caller);
    if (hash === null) {
      return this.#runAfterRecentLogin(caller, MAX_LOGIN_AGE_MS, (tx, account) => {
        // A password may have been set meanwhile.
        if (account.passwordHash !== null) throw wrongPassword();
        return work(tx, account);
      });
    }
    if (proof.password === undefined) throw new Failure('invalid', 'password is missing.');
    return this.#verifyAndRun(caller, { ...proof, password: proof.password, hash }, work);
  }

  /**
   * Runs work that adds or removes a way to log in, or adds a factor. Requires the right password or a login
   * that is at most 15 minutes old. A refresh does not count as a login.
   * @throws Failure `rejected` if the password is wrong; `forbidden` if it is missing and the login is too
   *   old, or the account is banned; `unauthenticated` if the login has ended
   */
  async runWithProof<T>(caller: Caller, proof: OwnerProof, work: OwnerWork<T>): Promise<T> {
    const { password } = proof;
    const hash = password === undefined ? null : await this.#findHash(caller);
    if (password === undefined || hash === null) {
      return this.#runAfterRecentLogin(caller, MAX_LOGIN_AGE_FOR_METHODS_MS, work);
    }
    return this.#verifyAndRun(caller, { ...proof, password, hash }, work);
  }

  /**
   * Checks that the owner may set a first password. The transaction must have locked the account.
   * @throws Failure `forbidden` if the login is older than 15 minutes; `unauthenticated` if it has ended
   */
  async checkLoginIsRecent(tx: Tx, caller: Caller): Promise<void> {
    await checkLoginIsLive(tx, caller);
    await this.#checkLoginAge(tx, caller, MAX_LOGIN_AGE_FOR_METHODS_MS);
  }

  async #findHash({ accountId }: Caller): Promise<string | null> {
    const credentials = await findCredentials(this.#parts.database.db, { id: accountId });
    return credentials?.passwordHash ?? null;
  }

  async #verifyAndRun<T>(
    caller: Caller,
    { password, hash, address }: { password: string; hash: string; address: string },
    work: OwnerWork<T>,
  ): Promise<T> {
    await this.#parts.limiter.attempt(limitOwnGuesses(address, caller.accountId), async () => {
      if (!(await verifyPassword(hash, password, caller))) throw wrongPassword();
    });
    return this.#parts.database.transact(async (tx) => {
      const account = await lockActiveAccount(tx, caller.accountId);
      if (account.passwordHash !== hash) throw wrongPassword();
      await checkLoginIsLive(tx, caller);
      return work(tx, account);
    });
  }

  #runAfterRecentLogin<T>(caller: Caller, maxAgeMs: number, work: OwnerWork<T>): Promise<T> {
    return this.#parts.database.transact(async (tx) => {
      const account = await lockOwnAccount(tx, caller);
      await this.#checkLoginAge(tx, caller, maxAgeMs);
      return work(tx, account);
    });
  }

  async #checkLoginAge(tx: Tx, { sessionId }: Caller, maxAgeMs: number): Promise<void> {
    const startedAt = await findSessionStart(tx, sessionId);
    if (startedAt !== undefined && startedAt >= this.#parts.clock.now() - maxAgeMs) return;
    throw new Failure(
      'forbidden',
      maxAgeMs === MAX_LOGIN_AGE_FOR_METHODS_MS
        ? 'Please confirm this with your password, or log in again and do this within 15 minutes.'
        : 'Please log in again, and then do this within 5 minutes.',
    );
  }
}

/** @param field the request member that contains the password */
export function wrongPassword(field?: string): Failure {
  return new Failure('rejected', 'The current password is wrong.', { field });
}

/** The account and the login session of a caller. */
type CallerIds = Pick<Caller, 'accountId' | 'sessionId'>;

/**
 * Locks the account of the caller until the transaction ends, for a change of its credentials.
 * @throws Failure `forbidden` if it is banned; `unauthenticated` if the login of the caller has ended
 */
export async function lockOwnAccount(tx: Tx, caller: CallerIds): Promise<LockedAccount> {
  const account = await lockActiveAccount(tx, caller.accountId);
  await checkLoginIsLive(tx, caller);
  return account;
}

/**
 * Checks that the login of the caller has not ended. The transaction must have locked the account. A request
 * that adds a credential checks this again, because the session may have ended since the request began: after
 * a password change, a stolen session must not be able to add anything.
 * @throws Failure `unauthenticated`
 */
export async function checkLoginIsLive(tx: Tx, { sessionId }: CallerIds): Promise<void> {
  const live = await findLiveSessions(tx, [sessionId]);
  if (live.size === 0) throw new Failure('unauthenticated', 'The login has ended. Please log in again.');
}
