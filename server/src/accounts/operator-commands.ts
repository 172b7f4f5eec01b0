import type { Clock } from '../base/clock.ts';
import type { Role } from '../base/domain/accounts.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Database, Tx } from '../database/database.ts';
import type { AccountCreation } from './account-creation.ts';
import { checkPassword, foldUsername, toUsername } from './account-rules.ts';
import { loadCommonPasswords } from './passwords/common-passwords.ts';
import type { InitialPassword } from './passwords/initial-password.ts';
import { hashPassword } from './passwords/passwords.ts';
import { findCredentials, setPasswordHash } from './queries.ts';
import type { LoginSessions } from './sessions/login-sessions.ts';

const PASSWORD_BITS = 120;

/** What the caller wants to be done in the same transaction. */
type AlsoDo = (tx: Tx, accountId: number) => Promise<void>;

/** What whoever runs the service does to accounts from the command line, without being anybody's account. */
export class OperatorCommands {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #creation: AccountCreation;
  readonly #sessions: LoginSessions;
  readonly #initialPassword: InitialPassword;

  constructor(parts: {
    database: Database;
    clock: Clock;
    ids: Ids;
    creation: AccountCreation;
    sessions: LoginSessions;
    initialPassword: InitialPassword;
  }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#creation = parts.creation;
    this.#sessions = parts.sessions;
    this.#initialPassword = parts.initialPassword;
  }

  /**
   * Creates an account with that password, or with one that is made here; gives the password.
   * @throws Failure `invalid` for what cannot be a username or a password, `conflict` for a username that is taken
   */
  async createAccount(
    account: { username: string; role: Role; password: string | undefined },
    alsoDo: AlsoDo,
  ): Promise<string> {
    const username = toUsername(account.username);
    const password = await this.#toPassword(account.password, username);
    const passwordHash = await hashPassword(password);
    await this.#database.transact(async (tx) => {
      const created = await this.#creation.create(tx, {
        username,
        email: null,
        phoneNumber: null,
        passwordHash,
        role: account.role,
      });
      await alsoDo(tx, created.id);
    });
    return password;
  }

  /**
   * Gives the account that password, or one that is made here, and ends all its sessions; gives the password.
   * @throws Failure `not-found`, `invalid`
   */
  async resetPassword(username: string, wanted: string | undefined, alsoDo: AlsoDo): Promise<string> {
    const password = await this.#toPassword(wanted, username);
    const passwordHash = await hashPassword(password);
    const wasInitial = await this.#database.transact(async (tx) => {
      const account = await findCredentials(tx, { foldedUsername: foldUsername(username) });
      if (account === undefined) throw new Failure('not-found', `There is no account ${username}.`);
      await setPasswordHash(tx, account.id, passwordHash, this.#clock.now());
      await this.#sessions.endAll(tx, account.id);
      await alsoDo(tx, account.id);
      return this.#initialPassword.retire(tx, account.id);
    });
    // The password is changed, whatever becomes of the file; what stays of it the next start removes.
    if (wasInitial) await this.#initialPassword.remove().catch(() => undefined);
    return password;
  }

  async #toPassword(wanted: string | undefined, username: string): Promise<string> {
    if (wanted === undefined) return this.#ids.token(PASSWORD_BITS);
    checkPassword(wanted, username, await loadCommonPasswords());
    return wanted;
  }
}
