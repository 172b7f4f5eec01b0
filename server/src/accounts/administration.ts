import type { Clock } from '../base/clock.ts';
import type { Role, SessionEnd } from '../base/domain/accounts.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Database, Tx } from '../database/database.ts';
import type { AccountCreation } from './account-creation.ts';
import { foldUsername, toEmail, toPhoneNumber, toUsername } from './account-rules.ts';
import { deleteAppPasswordsOf } from './app-passwords/queries.ts';
import { hadFactors, type RemovedFactors, removeFactors } from './factor-removal.ts';
import type { InitialPassword } from './passwords/initial-password.ts';
import { type PreparedPassword, preparePassword } from './passwords/new-password.ts';
import {
  type Account,
  type AccountWithUsage,
  findAccount,
  getAccount,
  hasOtherAdmin,
  lockAccount,
  lockAdmins,
  markDeleting,
  setBanned,
  setPasswordHash,
  setRole,
} from './queries.ts';
import type { SecurityLog } from './security/security-log.ts';
import type { LoginSessions } from './sessions/login-sessions.ts';
import { deleteAnyIdentity, deleteIdentitiesOf } from './single-sign-on/queries.ts';

/** An account and the second factors that were removed from it. */
interface SecondFactorReset {
  readonly target: Account;
  readonly removed: RemovedFactors;
}

/** A new account with validated fields, and its password. */
interface PreparedAccount {
  readonly account: {
    readonly username: string;
    readonly email: string;
    readonly phoneNumber: string;
    readonly passwordHash: string;
  };
  readonly password: string;
}

/** Runs in a transaction that changes an account. */
type AccountHook = (tx: Tx, accountId: number) => Promise<void>;

interface AccountAdministrationParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly creation: AccountCreation;
  readonly sessions: LoginSessions;
  readonly initialPassword: InitialPassword;
  readonly log: SecurityLog;
}

/**
 * What moderators and admins can do to accounts. Each change is part of the caller's transaction and returns
 * the account as it was before. A moderator can neither change an admin nor make anyone an admin.
 *
 * The role of the actor is read again inside the transaction, so that an actor who has just been demoted is
 * rejected.
 */
export class AccountAdministration {
  readonly #parts: AccountAdministrationParts;
  readonly #bannedHooks: AccountHook[] = [];
  readonly #lockHooks: AccountHook[] = [];
  readonly #deletionHooks: AccountHook[] = [];

  constructor(parts: AccountAdministrationParts) {
    this.#parts = parts;
  }

  /**
   * Calls the hook in every transaction that bans an account or begins its deletion, which has locked it.
   * The hook ends what the account shares with others.
   */
  onBanned(hook: AccountHook): void {
    this.#bannedHooks.push(hook);
  }

  /**
   * Calls the hook in every transaction that bans an account or begins its deletion, before it locks the
   * account, so that the hook can lock what must be locked first.
   */
  beforeBan(hook: AccountHook): void {
    this.#lockHooks.push(hook);
  }

  /** Calls the hook in every transaction that begins the deletion of an account, which has locked it. */
  onDeletion(hook: AccountHook): void {
    this.#deletionHooks.push(hook);
  }

  /**
   * Validates the fields of a new account, and hashes the given password or a generated one.
   * @throws Failure `invalid`
   */
  async prepareAccount(
    actorId: number,
    wanted: { username: string; email: string; phoneNumber: string; password: string | undefined },
  ): Promise<PreparedAccount> {
    const username = toUsername(wanted.username);
    const email = toEmail(wanted.email);
    const phoneNumber = toPhoneNumber(wanted.phoneNumber);
    const { password, hash } = await preparePassword(this.#parts.ids, username, wanted.password, actorId);
    return { account: { username, email, phoneNumber, passwordHash: hash }, password };
  }

  /**
   * Creates an account. Its user must change the password at the first login.
   * @throws Failure `conflict` if another account has one of its names; `forbidden`
   */
  async create(tx: Tx, actorId: number, { account }: PreparedAccount): Promise<Account> {
    await getActor(tx, actorId);
    return this.#parts.creation.create(tx, { ...account, role: 'USER', mustChangePassword: true });
  }

  /** @throws Failure `rejected` if no active admin would remain; `forbidden`; `not-found` */
  async setRole(tx: Tx, actorId: number, id: number, role: Role): Promise<Account> {
    await lockAdmins(tx, this.#parts.clock.now());
    const { actor, target } = await this.lockTarget(tx, actorId, id);
    if (role === 'ADMIN' && actor.role !== 'ADMIN') throw onlyForAdmins('make someone an administrator');
    if (role !== 'ADMIN') await this.#checkAdminLeft(tx, target);
    await setRole(tx, id, role, this.#parts.clock.now());
    return target;
  }

  /**
   * Bans an account, or lifts the ban. A ban invalidates all tokens at once. The sessions stay in the
   * database, so that a refresh can answer that the account is banned. Lifting the ban ends them, so that
   * tokens from before the ban stay invalid.
   * @throws Failure `rejected` if no active admin would remain; `forbidden`; `not-found`
   */
  async setBanned(tx: Tx, actorId: number, id: number, banned: boolean): Promise<Account> {
    if (banned) for (const hook of this.#lockHooks) await hook(tx, id);
    await lockAdmins(tx, this.#parts.clock.now());
    const { target } = await this.lockTarget(tx, actorId, id);
    if (banned) await this.#checkAdminLeft(tx, target);
    await setBanned(tx, id, banned, this.#parts.clock.now());
    if (banned) for (const hook of this.#bannedHooks) await hook(tx, id);
    if (!banned && target.banned === 1) await this.#parts.sessions.endAll(tx, id, 'banned');
    return target;
  }

  /**
   * Begins the deletion of an account: ends its sessions, app passwords, memberships in shared drives and
   * everything it shares with others, and frees its names. A job deletes the data of the account later, and the account last.
   * @param username must be the username of the account, so that no one deletes the wrong account by mistake
   * @returns undefined if the deletion had already begun
   * @throws Failure `rejected` for another username, the actor's own account, or the last active admin;
   *   `forbidden`; `not-found`
   */
  async startDeletion(
    tx: Tx,
    actorId: number,
    id: number,
    username: string,
  ): Promise<AccountWithUsage | undefined> {
    const now = this.#parts.clock.now();
    for (const hook of this.#lockHooks) await hook(tx, id);
    await lockAdmins(tx, now);
    const { target } = await this.#lockAnyTarget(tx, actorId, id);
    if (foldUsername(username) !== foldUsername(target.username)) {
      throw new Failure('rejected', 'This is not the username of the account.');
    }
    if (target.deletingAt !== null) return undefined;
    if (id === actorId) throw new Failure('rejected', 'You cannot delete your own account.');
    await this.#checkAdminLeft(tx, target);
    const before = await getAccount(tx, id);
    await markDeleting(tx, target, now);
    // Frees the identities, so the person can get another account with them.
    await deleteIdentitiesOf(tx, id);
    for (const hook of [...this.#bannedHooks, ...this.#deletionHooks]) await hook(tx, id);
    await this.#endLogins(tx, id, 'deleted');
    return before;
  }

  /**
   * Checks and hashes a password for an account, or generates one, which is shown once.
   * @throws Failure `invalid` if the password breaks a rule for this account; `not-found`
   */
  async preparePassword(actorId: number, id: number, wanted: string | undefined): Promise<PreparedPassword> {
    const { username } = await getAccount(this.#parts.database.db, id);
    return preparePassword(this.#parts.ids, username, wanted, actorId);
  }

  /**
   * Ends every session of the account, of both client types, and deletes its app passwords.
   * @param action how the owner is told
   */
  async setPassword(
    tx: Tx,
    actorId: number,
    id: number,
    { hash, action }: PreparedPassword & { readonly action: 'UPDATE_USER_PASSWORD' | 'RESET_USER_PASSWORD' },
  ): Promise<Account> {
    const { target } = await this.lockTarget(tx, actorId, id);
    await setPasswordHash(tx, id, hash, this.#parts.clock.now());
    await this.#endLogins(tx, id, 'password-reset');
    await this.#parts.log.tell(tx, id, action);
    return target;
  }

  /**
   * Removes every second factor of another account, for example when its user has lost the phone. Sessions
   * and the password stay.
   * @throws Failure `rejected` for the actor's own account; `forbidden`; `not-found`
   */
  async resetSecondFactors(tx: Tx, actorId: number, id: number): Promise<SecondFactorReset> {
    const { target } = await this.lockTarget(tx, actorId, id);
    if (id === actorId) {
      throw new Failure('rejected', 'Please remove your own second factors in your profile.');
    }
    const removed = await removeFactors(tx, id);
    if (hadFactors(removed)) await this.#parts.log.tell(tx, id, 'RESET_SECOND_FACTORS');
    return { target, removed };
  }

  /**
   * Removes an identity of another account, even its last way to log in: the admin can set a password.
   * Sessions stay. Returns the account and the issuer of the identity.
   * @throws Failure `rejected` for the actor's own account; `forbidden`; `not-found`
   */
  async deleteIdentity(
    tx: Tx,
    actorId: number,
    id: number,
    identityId: number,
  ): Promise<{ readonly target: Account; readonly issuer: string }> {
    const { target } = await this.lockTarget(tx, actorId, id);
    if (id === actorId) throw new Failure('rejected', 'Please unlink your own identities in your profile.');
    const issuer = await deleteAnyIdentity(tx, id, identityId);
    if (issuer === undefined) throw new Failure('not-found', 'There is no such identity.');
    await this.#parts.log.tell(tx, id, 'DELETE_IDENTITY');
    return { target, issuer };
  }

  /**
   * Locks an account until the transaction ends, and checks that the actor may change it.
   * @throws Failure `forbidden`; `rejected` if the account is being deleted; `not-found`
   */
  async lockTarget(tx: Tx, actorId: number, id: number): Promise<{ actor: Account; target: Account }> {
    const locked = await this.#lockAnyTarget(tx, actorId, id);
    if (locked.target.deletingAt === null) return locked;
    throw new Failure('rejected', 'This account is being deleted.');
  }

  /** @throws Failure `forbidden` if the actor is no longer an administrator */
  async checkActor(tx: Tx, actorId: number): Promise<void> {
    await getActor(tx, actorId);
  }

  async #endLogins(tx: Tx, id: number, end: SessionEnd): Promise<void> {
    await this.#parts.sessions.endAll(tx, id, end);
    await deleteAppPasswordsOf(tx, id);
    if (await this.#parts.initialPassword.retire(tx, id)) {
      // The password is invalid even if the file cannot be removed. The next start removes a stale file.
      this.#parts.database.afterCommit(
        tx,
        () => void this.#parts.initialPassword.remove().catch(() => undefined),
      );
    }
  }

  /** Like {@link lockTarget}, but also accepts an account that is being deleted. */
  async #lockAnyTarget(tx: Tx, actorId: number, id: number): Promise<{ actor: Account; target: Account }> {
    const target = await lockAccount(tx, id);
    const actor = await getActor(tx, actorId);
    if (target.role === 'ADMIN' && actor.role !== 'ADMIN') throw onlyForAdmins('change an administrator');
    return { actor, target };
  }

  /** The transaction has locked the admins, so no other transaction can remove an admin at the same time. */
  async #checkAdminLeft(tx: Tx, target: Account): Promise<void> {
    const isActiveAdmin = target.role === 'ADMIN' && target.banned === 0;
    if (!isActiveAdmin || (await hasOtherAdmin(tx, target.id))) return;
    throw new Failure('rejected', 'This is the last active administrator.');
  }
}

/** @throws Failure `forbidden` if the actor is no longer an administrator */
async function getActor(tx: Tx, actorId: number): Promise<Account> {
  const actor = await findAccount(tx, actorId);
  if (actor === undefined || actor.banned === 1 || actor.role === 'USER') {
    throw new Failure('forbidden', 'This is for administrators only.');
  }
  return actor;
}

function onlyForAdmins(action: string): Failure {
  return new Failure('forbidden', `Only an administrator may ${action}.`);
}
