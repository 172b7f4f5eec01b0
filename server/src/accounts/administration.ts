import type { Clock } from '../base/clock.ts';
import type { Role } from '../base/domain/accounts.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Database, Tx } from '../database/database.ts';
import { checkPassword } from './account-rules.ts';
import { loadCommonPasswords } from './passwords/common-passwords.ts';
import type { InitialPassword } from './passwords/initial-password.ts';
import { hashPassword } from './passwords/passwords.ts';
import {
  type Account,
  findAccount,
  getAccount,
  hasOtherAdmin,
  lockAccount,
  lockAdmins,
  setBanned,
  setLimits,
  setPasswordHash,
  setRole,
} from './queries.ts';
import type { LoginSessions } from './sessions/login-sessions.ts';

const TEMPORARY_PASSWORD_BITS = 120;

/** A password that was checked and hashed, which takes too long for a transaction. */
export interface PreparedPassword {
  readonly hash: string;
}

/**
 * What moderators and admins do to accounts (contract, section 9). Each call is a part of the caller's transaction and gives
 * the account as it was before. A moderator does nothing to an admin and makes nobody one.
 *
 * Who acts is looked up again inside the transaction: somebody who was demoted a moment ago no longer may.
 */
export class AccountAdministration {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #sessions: LoginSessions;
  readonly #initialPassword: InitialPassword;

  constructor(parts: {
    database: Database;
    clock: Clock;
    ids: Ids;
    sessions: LoginSessions;
    initialPassword: InitialPassword;
  }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#sessions = parts.sessions;
    this.#initialPassword = parts.initialPassword;
  }

  /** @throws Failure `rejected` when nobody would be left who is an admin; `forbidden`, `not-found` */
  async setRole(tx: Tx, actorId: number, id: number, role: Role): Promise<Account> {
    await lockAdmins(tx, this.#clock.now());
    const { actor, target } = await this.#hold(tx, actorId, id);
    if (role === 'ADMIN' && actor.role !== 'ADMIN') throw onlyForAdmins('make somebody an administrator');
    if (role !== 'ADMIN') await this.#checkAdminLeft(tx, target);
    await setRole(tx, id, role, this.#clock.now());
    return target;
  }

  /**
   * A ban refuses every token at once; the sessions stay until the pardon, so that a refresh is told why, and end with
   * it: what was revoked stays revoked.
   * @throws Failure `rejected` when nobody would be left who is an admin; `forbidden`, `not-found`
   */
  async setBanned(tx: Tx, actorId: number, id: number, banned: boolean): Promise<Account> {
    await lockAdmins(tx, this.#clock.now());
    const { target } = await this.#hold(tx, actorId, id);
    if (banned) await this.#checkAdminLeft(tx, target);
    await setBanned(tx, id, banned, this.#clock.now());
    if (!banned && target.banned === 1) await this.#sessions.endAll(tx, id);
    return target;
  }

  /** @throws Failure `invalid` when it cannot be that account's password; `not-found` */
  async preparePassword(id: number, password: string): Promise<PreparedPassword> {
    const { username } = await getAccount(this.#database.db, id);
    checkPassword(password, username, await loadCommonPasswords());
    return { hash: await hashPassword(password) };
  }

  /** A password that nobody can guess, to be told once. */
  generateTemporaryPassword(): string {
    return this.#ids.token(TEMPORARY_PASSWORD_BITS);
  }

  /** Ends every session of the account, of both client types. */
  async setPassword(tx: Tx, actorId: number, id: number, { hash }: PreparedPassword): Promise<Account> {
    const { target } = await this.#hold(tx, actorId, id);
    await setPasswordHash(tx, id, hash, this.#clock.now());
    await this.#sessions.endAll(tx, id);
    if (await this.#initialPassword.retire(tx, id)) {
      // The password is changed, whatever becomes of the file; what stays of it the next start removes.
      this.#database.afterCommit(tx, () => void this.#initialPassword.remove().catch(() => undefined));
    }
    return target;
  }

  async setLimits(
    tx: Tx,
    actorId: number,
    id: number,
    limits: { readonly quotaBytes?: number; readonly maxUploadBytes?: number },
  ): Promise<Account> {
    const { target } = await this.#hold(tx, actorId, id);
    await setLimits(tx, id, limits, this.#clock.now());
    return target;
  }

  /** Holds the account until the transaction ends. @throws Failure `forbidden`, `not-found` */
  async #hold(tx: Tx, actorId: number, id: number): Promise<{ actor: Account; target: Account }> {
    const target = await lockAccount(tx, id);
    const actor = await findAccount(tx, actorId);
    if (actor === undefined || actor.banned === 1 || actor.role === 'USER') {
      throw new Failure('forbidden', 'This is for administrators only.');
    }
    if (target.role === 'ADMIN' && actor.role !== 'ADMIN') throw onlyForAdmins('change an administrator');
    return { actor, target };
  }

  /** The admins are held: nobody else can leave at the same moment. */
  async #checkAdminLeft(tx: Tx, target: Account): Promise<void> {
    const isActiveAdmin = target.role === 'ADMIN' && target.banned === 0;
    if (!isActiveAdmin || (await hasOtherAdmin(tx, target.id))) return;
    throw new Failure('rejected', 'This is the last active administrator.');
  }
}

function onlyForAdmins(deed: string): Failure {
  return new Failure('forbidden', `Only an administrator may ${deed}.`);
}
