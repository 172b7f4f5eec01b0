import type { Clock } from '../base/clock.ts';
import type { Role } from '../base/domain/accounts.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Database, Tx } from '../database/database.ts';
import type { AccountCreation } from './account-creation.ts';
import { foldUsername, toUsername } from './account-rules.ts';
import { deleteAppPasswordsOf } from './app-passwords/queries.ts';
import { hadFactors, type RemovedFactors, removeFactors } from './factor-removal.ts';
import type { InitialPassword } from './passwords/initial-password.ts';
import { preparePassword } from './passwords/new-password.ts';
import { findCredentials, lockAccount, setPasswordHash } from './queries.ts';
import type { SecurityLog } from './security/security-log.ts';
import type { LoginSessions } from './sessions/login-sessions.ts';

/** Runs in the same transaction, for example to record an audit entry. */
type AlsoInTransaction = (tx: Tx, accountId: number) => Promise<void>;

interface OperatorCommandsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly creation: AccountCreation;
  readonly sessions: LoginSessions;
  readonly initialPassword: InitialPassword;
  readonly log: SecurityLog;
}

/** What the operator can do to accounts on the command line. The operator needs no account for it. */
export class OperatorCommands {
  readonly #parts: OperatorCommandsParts;

  constructor(parts: OperatorCommandsParts) {
    this.#parts = parts;
  }

  /**
   * Creates an account with the given password or a generated one. Returns the password.
   * @throws Failure `invalid` if the username or the password breaks a rule; `conflict` if the username is
   *   taken
   */
  async createAccount(
    account: { username: string; role: Role; password: string | undefined },
    alsoInTransaction: AlsoInTransaction,
  ): Promise<string> {
    const username = toUsername(account.username);
    const { password, hash } = await preparePassword(this.#parts.ids, username, account.password);
    await this.#parts.database.transact(async (tx) => {
      const created = await this.#parts.creation.create(tx, {
        username,
        email: null,
        phoneNumber: null,
        passwordHash: hash,
        role: account.role,
      });
      await alsoInTransaction(tx, created.id);
    });
    return password;
  }

  /**
   * The id of an account; undefined if there is none with that name.
   * @throws Failure `invalid` if the name cannot be a username
   */
  async findAccountId(name: string): Promise<number | undefined> {
    const foldedUsername = foldUsername(toUsername(name));
    return (await findCredentials(this.#parts.database.db, { foldedUsername }))?.id;
  }

  /**
   * Sets the given password or a generated one, ends all sessions of the account, and deletes its app
   * passwords. Returns the password.
   * @throws Failure `not-found`; `invalid` if the password breaks a rule
   */
  async resetPassword(
    username: string,
    wanted: string | undefined,
    alsoInTransaction: AlsoInTransaction,
  ): Promise<string> {
    const { password, hash } = await preparePassword(this.#parts.ids, username, wanted);
    const wasInitial = await this.#parts.database.transact(async (tx) => {
      const account = await findCredentials(tx, { foldedUsername: foldUsername(username) });
      if (account === undefined) throw new Failure('not-found', `There is no account ${username}.`);
      await setPasswordHash(tx, account.id, hash, this.#parts.clock.now());
      await this.#parts.sessions.endAll(tx, account.id, 'password-reset');
      await deleteAppPasswordsOf(tx, account.id);
      await this.#parts.log.tell(tx, account.id, 'RESET_USER_PASSWORD');
      await alsoInTransaction(tx, account.id);
      return this.#parts.initialPassword.retire(tx, account.id);
    });
    // The password is changed even if the file cannot be removed. The next start removes a stale file.
    if (wasInitial) await this.#parts.initialPassword.remove().catch(() => undefined);
    return password;
  }

  /**
   * Removes every second factor of the account. Sessions and the password stay.
   * @throws Failure `not-found`
   */
  async resetSecondFactors(
    username: string,
    alsoInTransaction: (tx: Tx, accountId: number, removed: RemovedFactors) => Promise<void>,
  ): Promise<RemovedFactors> {
    return this.#parts.database.transact(async (tx) => {
      const account = await findCredentials(tx, { foldedUsername: foldUsername(username) });
      if (account === undefined) throw new Failure('not-found', `There is no account ${username}.`);
      await lockAccount(tx, account.id);
      const removed = await removeFactors(tx, account.id);
      if (hadFactors(removed)) await this.#parts.log.tell(tx, account.id, 'RESET_SECOND_FACTORS');
      await alsoInTransaction(tx, account.id, removed);
      return removed;
    });
  }
}
