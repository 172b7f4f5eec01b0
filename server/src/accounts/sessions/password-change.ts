import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { CredentialLimiter } from '../../limits/limits.ts';
import { checkNotBanned } from '../account-rules.ts';
import { deleteAppPasswordsOf } from '../app-passwords/queries.ts';
import type { LoginState } from '../contract.ts';
import type { InitialPassword } from '../passwords/initial-password.ts';
import { checkNewPassword } from '../passwords/new-password.ts';
import { hashPassword, verifyPassword } from '../passwords/passwords.ts';
import { findCredentials, lockAccount, setOwnPasswordHash } from '../queries.ts';
import { limitOwnGuesses } from '../security/login-attempts.ts';
import { checkLoginIsLive, type OwnerCheck, wrongPassword } from '../security/owner-check.ts';
import type { SecurityLog } from '../security/security-log.ts';
import type { LoginSessions, Origin } from './login-sessions.ts';

interface NewPassword {
  /** Undefined for an account without a password. */
  readonly currentPassword: string | undefined;
  readonly newPassword: string;
  readonly endAppPasswords: boolean;
}

interface PasswordChangeParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly limiter: CredentialLimiter;
  readonly sessions: LoginSessions;
  readonly ownerCheck: OwnerCheck;
  readonly log: SecurityLog;
  readonly initialPassword: InitialPassword;
}

/**
 * Lets owners change their password, or set the first one of an account without a password.
 *
 * Hashing is slow, so the passwords are verified and hashed before the transaction. The transaction then
 * locks the account and checks that it still has the verified hash.
 */
export class PasswordChange {
  readonly #parts: PasswordChangeParts;

  constructor(parts: PasswordChangeParts) {
    this.#parts = parts;
  }

  /**
   * Ends every session of the account and starts a new one for the client type and device of the calling one.
   * The app passwords stay valid, unless the user asks to end them.
   * @throws Failure `rejected` if the current password is wrong; `invalid` if it is missing, or the new one
   *   breaks a rule; `forbidden` if the account has no password and the login is older than 15 minutes;
   *   `unauthenticated` if the login has ended meanwhile; `too-many`
   */
  async change(caller: Caller, wanted: NewPassword, origin: Origin): Promise<LoginState> {
    const { newPassword } = wanted;
    await checkNewPassword(newPassword, caller.username, 'newPassword');
    const credentials = await findCredentials(this.#parts.database.db, { id: caller.accountId });
    const oldHash = credentials?.passwordHash ?? null;
    // A client that sends a password assumes that the account has one.
    const isFirst = oldHash === null && wanted.currentPassword === undefined;
    if (!isFirst) await this.#verify(caller, oldHash, wanted.currentPassword, origin.address);
    const newHash = await hashPassword(newPassword, caller);
    const changed = await this.#parts.database.transact(async (tx) => {
      const account = await lockAccount(tx, caller.accountId);
      if (account.passwordHash !== oldHash) throw wrongPassword('currentPassword');
      checkNotBanned(account);
      // A login that has ended since the request began must not get a new one.
      if (isFirst) await this.#parts.ownerCheck.checkLoginIsRecent(tx, caller);
      else await checkLoginIsLive(tx, caller);
      if (account.mustChangePassword === 1 && newPassword === wanted.currentPassword) throw samePassword();
      await setOwnPasswordHash(tx, account.id, newHash, this.#parts.clock.now());
      if (wanted.endAppPasswords) await deleteAppPasswordsOf(tx, account.id);
      const details = { first: isFirst, appPasswordsEnded: wanted.endAppPasswords };
      await this.#parts.log.recordPasswordChange(tx, account, { details, origin });
      const { client, sessionId } = caller;
      return {
        state: await this.#parts.sessions.startOver(tx, account, sessionId, { ...origin, client }),
        wasInitial: await this.#parts.initialPassword.retire(tx, account.id),
      };
    });
    // The password is changed even if the file cannot be removed. The next start removes a stale file.
    if (changed.wasInitial) await this.#parts.initialPassword.remove().catch(() => undefined);
    return changed.state;
  }

  async #verify(
    caller: Caller,
    hash: string | null,
    password: string | undefined,
    address: string,
  ): Promise<void> {
    if (password === undefined) throw new Failure('invalid', 'currentPassword is missing.');
    await this.#parts.limiter.attempt(limitOwnGuesses(address, caller.accountId), async () => {
      if (!(await verifyPassword(hash, password, caller))) throw wrongPassword('currentPassword');
    });
  }
}

function samePassword(): Failure {
  return new Failure('invalid', 'The new password must not be the one that you were given.');
}
