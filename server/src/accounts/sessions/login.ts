import type { Role } from '../../base/domain/accounts.ts';
import { Failure } from '../../base/failure.ts';
import type { Database } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { byAddress, CREDENTIALS_BY_ADDRESS, type CredentialLimiter } from '../../limits/limits.ts';
import type { AccountCreation } from '../account-creation.ts';
import { checkNotBanned, foldUsername, isUsername, toUsername } from '../account-rules.ts';
import type { LoginState } from '../contract.ts';
import { verifyPassword } from '../passwords/passwords.ts';
import { findCredentials, lockAccount } from '../queries.ts';
import { type FailedLogin, limitGuesses } from '../security/login-attempts.ts';
import type { LoginSessions, Origin } from './login-sessions.ts';
import type { SecondFactorLogin, UnfinishedLogin } from './second-factor-login.ts';

interface LoginParts {
  readonly database: Database;
  readonly limiter: CredentialLimiter;
  readonly creation: AccountCreation;
  readonly sessions: LoginSessions;
  readonly secondFactorLogin: SecondFactorLogin;
  readonly onFailed: (login: FailedLogin) => void;
}

/**
 * Login, refresh and logout.
 *
 * Hashing is slow, so a password is verified before the transaction that relies on it. The transaction then
 * locks the account and checks that it still has the verified hash. So a login with the old password fails if
 * the password is changed at the same time.
 */
export class Login {
  readonly #parts: LoginParts;

  constructor(parts: LoginParts) {
    this.#parts = parts;
  }

  /**
   * Returns an unfinished login if the account has a second factor.
   * @throws Failure `unauthenticated` for a wrong username or password; `forbidden` for a banned account
   */
  logIn(username: string, password: string, origin: Origin): Promise<LoginState | UnfinishedLogin> {
    const foldedUsername = isUsername(username) ? foldUsername(username) : undefined;
    // An invalid username belongs to no account, and may be a megabyte long, so the limiter does not use it
    // as a key.
    const limits = limitGuesses(origin.address, foldedUsername);
    const verify = async () => {
      const credentials =
        foldedUsername === undefined
          ? undefined
          : await findCredentials(this.#parts.database.db, { foldedUsername });
      const matches = await verifyPassword(credentials?.passwordHash ?? null, password, {
        address: origin.address,
        isLogin: true,
      });
      if (credentials === undefined || !matches) {
        const { address } = origin;
        this.#parts.onFailed({
          method: 'password',
          address,
          ...(credentials && { accountId: credentials.id }),
        });
        throw wrongLogin();
      }
      return this.#parts.database.transact(async (tx) => {
        const account = await lockAccount(tx, credentials.id);
        if (account.passwordHash !== credentials.passwordHash) throw wrongLogin();
        checkNotBanned(account);
        const unfinished = await this.#parts.secondFactorLogin.begin(tx, account, origin);
        return unfinished ?? this.#parts.sessions.start(tx, account, origin);
      });
    };
    return this.#parts.limiter.attempt(limits, verify, (result) => !('ticket' in result));
  }

  /**
   * @throws Failure `unauthenticated` if the token is not the current one of a session; `forbidden` if banned
   */
  refresh(refreshToken: string, origin: Origin): Promise<LoginState> {
    return this.#parts.limiter.attempt([byAddress(CREDENTIALS_BY_ADDRESS, origin.address)], () =>
      this.#parts.database.transact((tx) => this.#parts.sessions.refresh(tx, refreshToken, origin)),
    );
  }

  async logOut({ accountId, sessionId }: Caller): Promise<void> {
    await this.#parts.database.transact((tx) =>
      this.#parts.sessions.end(tx, accountId, sessionId, 'logged-out'),
    );
  }

  /** Ends a session of the caller, as a logout does. @throws Failure `not-found` */
  async endSession({ accountId, sessionId: ownId }: Caller, sessionId: string): Promise<void> {
    const end = sessionId === ownId ? 'logged-out' : 'logged-out-elsewhere';
    const wasThere = await this.#parts.database.transact((tx) =>
      this.#parts.sessions.end(tx, accountId, sessionId, end),
    );
    if (!wasThere) throw new Failure('not-found', 'There is no such session.');
  }

  /** Ends the other login sessions of the caller, and returns how many these were. */
  endOtherSessions({ accountId, sessionId }: Caller): Promise<number> {
    return this.#parts.database.transact((tx) => this.#parts.sessions.endOthers(tx, accountId, sessionId));
  }

  /**
   * Logs in as any user without a password, and creates unknown users. The environment must enable this
   * route.
   */
  async devLogIn(name: string, role: Role | undefined, origin: Origin): Promise<LoginState> {
    const username = toUsername(name);
    try {
      return await this.#devLogIn(username, role, origin);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'conflict') throw error;
      // Another request has created the user meanwhile.
      return this.#devLogIn(username, role, origin);
    }
  }

  async #devLogIn(username: string, role: Role | undefined, origin: Origin): Promise<LoginState> {
    const foldedUsername = foldUsername(username);
    return this.#parts.database.transact(async (tx) => {
      const known = await findCredentials(tx, { foldedUsername });
      const account =
        known === undefined
          ? await this.#parts.creation.create(tx, {
              username,
              email: null,
              phoneNumber: null,
              passwordHash: null,
              role: role ?? defaultDevRole(foldedUsername),
            })
          : await lockAccount(tx, known.id);
      checkNotBanned(account);
      return this.#parts.sessions.start(tx, account, origin, 'all-but-first');
    });
  }
}

function defaultDevRole(foldedUsername: string): Role {
  if (foldedUsername === 'dev' || foldedUsername === 'admin') return 'ADMIN';
  return foldedUsername === 'moderator' ? 'MODERATOR' : 'USER';
}

function wrongLogin(): Failure {
  return new Failure('unauthenticated', 'The username or the password is wrong.');
}
