import { MINUTE } from '../base/clock.ts';
import { KeyedMutex } from '../base/concurrency/keyed-mutex.ts';
import type { Failure } from '../base/failure.ts';
import type { FileName } from '../base/text/names/file-name.ts';
import type { Db, Tx } from '../database/database.ts';
import { deleteExpiredRows } from '../database/expired-rows.ts';
import type { Caller, Credentials } from '../http/caller.ts';
import type { Settings } from '../settings/settings.ts';
import { AccountCreation, type CreatedHook } from './account-creation.ts';
import { AccountDefaults } from './account-defaults.ts';
import { AccountDeletion } from './account-deletion.ts';
import { checkNotBanned } from './account-rules.ts';
import { AccountAdministration, type BannedHook } from './administration.ts';
import { AppPasswords, isAppPassword, isAppPasswordSession } from './app-passwords/app-passwords.ts';
import { OperatorCommands } from './operator-commands.ts';
import { InitialPassword } from './passwords/initial-password.ts';
import { Profiles } from './profile.ts';
import { type Account, findAccount, hasAccounts, lockAccount } from './queries.ts';
import { type FirstStart, runFirstStart } from './registration/first-start.ts';
import { Invites } from './registration/invites.ts';
import { Registration } from './registration/registration.ts';
import type { LoginSessions } from './sessions/login-sessions.ts';
import { findLiveSessions } from './sessions/queries.ts';
import { SignIn, type SignInParts } from './sign-in.ts';
import { findKeptExcess } from './usage/queries.ts';
import { type SumAnnouncedBytes, UploadReservations } from './usage/reservations/upload-reservations.ts';
import {
  chargeUsage,
  correctUsage,
  getFreeBytes,
  getFreeEntries,
  getMaxUploadBytes,
  getReplacementLimit,
  getUploadLimit,
  lockDrive,
  releaseUsage,
  type UploadLimit,
  type Usage,
} from './usage/usage.ts';

export type { DefaultsOfAccounts } from './account-defaults.ts';
export { foldEmail, foldUsername, MAX_IDENTITIES } from './account-rules.ts';
export { hadFactors, type RemovedFactors } from './factor-removal.ts';
export { LOGIN_METHODS } from './failed-login.ts';
export { hashPassword, verifyPassword } from './passwords/passwords.ts';
export type { Invite } from './registration/invite-queries.ts';
export type { UploadReservation } from './usage/reservations/upload-reservation.ts';
export { overReserved, type Visit } from './usage/reservations/upload-reservations.ts';
export { overEntries } from './usage/usage.ts';
export type { Account, UploadLimit, Usage };

/**
 * How much the clocks of instances may differ. One instance may still accept a ticket that has expired at
 * another.
 */
const MAX_CLOCK_DIFFERENCE_MS = MINUTE;

export interface AccountsParts extends SignInParts {
  readonly settings: Settings;
  readonly defaultQuotaBytes: number;
  readonly defaultMaxUploadBytes: number;
  readonly defaultMaxEntries: number;
  readonly defaultDirectories: readonly FileName[];
  /** The directory in which the first start stores the password that it generated. */
  readonly dataDir: string;
  /** What upload sessions have announced, which counts like reserved bytes. */
  readonly sumAnnouncedBytes: SumAnnouncedBytes;
}

/**
 * What the other features need of accounts: callers, drive locks and usage. The parts serve the account
 * routes.
 */
export class Accounts {
  readonly defaults: AccountDefaults;
  readonly registration: Registration;
  readonly invites: Invites;
  readonly signIn: SignIn;
  readonly sessions: LoginSessions;
  readonly profiles: Profiles;
  readonly administration: AccountAdministration;
  readonly deletion: AccountDeletion;
  readonly operatorCommands: OperatorCommands;
  readonly uploadReservations: UploadReservations;
  readonly appPasswords: AppPasswords;
  readonly #parts: AccountsParts;
  readonly #creation: AccountCreation;
  readonly #initialPassword: InitialPassword;
  readonly #mutex = new KeyedMutex<number>();

  constructor(parts: AccountsParts) {
    this.#parts = parts;
    const { database, settings, limiter, clock, ids } = parts;
    const { defaultQuotaBytes: quotaBytes, defaultMaxUploadBytes: maxUploadBytes } = parts;
    const { defaultMaxEntries: maxEntries, defaultDirectories: directories } = parts;
    this.defaults = new AccountDefaults(settings, { quotaBytes, maxUploadBytes, maxEntries, directories });
    const creation = new AccountCreation(clock, this.defaults);
    const initialPassword = new InitialPassword(parts.dataDir, settings, ids);
    const signIn = new SignIn(parts, creation, initialPassword);
    const { sessions, requirement } = signIn;
    this.#creation = creation;
    this.signIn = signIn;
    this.sessions = sessions;
    this.#initialPassword = initialPassword;
    this.invites = new Invites({ database, settings, clock });
    const { invites } = this;
    this.registration = new Registration({ database, settings, invites, limiter, creation, sessions });
    this.profiles = new Profiles(database, clock);
    this.appPasswords = new AppPasswords({
      ...{ database, clock, ids, limiter },
      findLiveSessions,
      requirement,
      log: signIn.log,
      onFailed: parts.onFailedLogin,
    });
    const changing = { database, clock, ids, creation, sessions, initialPassword };
    this.administration = new AccountAdministration(changing);
    this.operatorCommands = new OperatorCommands(changing);
    this.deletion = new AccountDeletion({
      database,
      // Deleting the row checks every table that refers to accounts.
      withDriveLock: (ownerId, work) => this.withDriveLock(ownerId, 0, work, async () => true),
    });
    this.uploadReservations = new UploadReservations({
      ...parts,
      withDriveLock: (ownerId, work) =>
        this.#runWithDriveLock(ownerId, 0, work, (run) => parts.database.transactVolatile(run)),
    });
  }

  /**
   * Calls the hook in every transaction that creates an account. Must be called before the first account is
   * created.
   */
  onCreated(hook: CreatedHook): void {
    this.#creation.onCreated(hook);
  }

  /** Calls the hook in every transaction that bans an account. */
  onBanned(hook: BannedHook): void {
    this.administration.onBanned(hook);
  }

  /**
   * Locks the account until the transaction ends, so that it cannot be banned before.
   * @throws Failure `forbidden` if it is banned; `not-found`
   */
  async lockActive(tx: Tx, id: number): Promise<void> {
    checkNotBanned(await lockAccount(tx, id));
  }

  async hasAccounts(): Promise<boolean> {
    return hasAccounts(this.#parts.database.db);
  }

  /** Creates the first admin where the database has no account; undefined everywhere else. */
  runFirstStart(settings: {
    adminUsername: string;
    adminPassword: string | undefined;
    inviteCode: string | undefined;
  }): Promise<FirstStart | undefined> {
    return runFirstStart({
      ...settings,
      database: this.#parts.database,
      settings: this.#parts.settings,
      creation: this.#creation,
      initialPassword: this.#initialPassword,
    });
  }

  /**
   * The caller that an access token or an app password belongs to; undefined if it is invalid, has expired or
   * was revoked. The password of the account is no credential of a request.
   * @param address the client's, for which wrong app passwords are counted
   * @throws Failure `too-many` after too many wrong app passwords; `forbidden` for an app password of a banned
   *   account
   */
  async findCaller(credentials: Credentials, address: string): Promise<Caller | undefined> {
    if (credentials.kind === 'basic') return this.appPasswords.findCaller(credentials, address);
    const { kind, token } = credentials;
    if (!isAppPassword(token)) return this.sessions.findCaller(token);
    return kind === 'query' ? undefined : this.appPasswords.findCaller({ password: token }, address);
  }

  /** Why the login session has ended that credentials belonged to; undefined if that is not known. */
  async explainRefusal({ kind, ...credentials }: Credentials): Promise<Failure | undefined> {
    return 'token' in credentials ? this.sessions.findEnd(credentials.token) : undefined;
  }

  /**
   * Returns the sessions and app passwords that are still valid, for connections that outlast a request. The
   * ids are those of {@link Caller.sessionId}.
   */
  async findLiveSessions(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const isLogin = (id: string) => !isAppPasswordSession(id);
    const logins = await this.sessions.findLive(sessionIds.filter(isLogin));
    const appPasswords = await this.appPasswords.findLive(sessionIds.filter(isAppPasswordSession));
    return new Set([...logins, ...appPasswords]);
  }

  findAccount(db: Db, accountId: number): Promise<Account | undefined> {
    return findAccount(db, accountId);
  }

  /**
   * Runs the work in a new transaction that locks the owner's drive, so that no other transaction changes it.
   * The lock is the first write of the transaction, which also charges the files and directories that the
   * work will add (0 only locks the drive). Must not be called inside a transaction.
   *
   * Calls for the same owner wait for each other here, not in the database: there, each waiting call would
   * occupy a connection of the pool. The next call may start as soon as the work is done, before the commit:
   * its first write waits for the commit.
   *
   * @param isLong whether the work may change hundreds of entries, as for `Database.transactBySize`
   * @throws Failure `over-limit` if the bytes exceed the quota, or if there are too many entries; `not-found` if
   *   there is no such account
   */
  withDriveLock<T>(
    ownerId: number,
    usage: 0 | Usage,
    work: (tx: Tx) => Promise<T>,
    isLong?: (tx: Tx) => Promise<boolean>,
  ): Promise<T> {
    return this.#runWithDriveLock(ownerId, usage, work, (run) =>
      isLong === undefined
        ? this.#parts.database.transact(run)
        : this.#parts.database.transactBySize(isLong, run),
    );
  }

  async #runWithDriveLock<T>(
    ownerId: number,
    usage: 0 | Usage,
    work: (tx: Tx) => Promise<T>,
    transact: (run: (tx: Tx) => Promise<T>) => Promise<T>,
  ): Promise<T> {
    const lockAndWork = async (tx: Tx) => {
      await (usage === 0 ? lockDrive(tx, ownerId) : chargeUsage(tx, ownerId, usage));
      const result = await work(tx);
      release();
      return result;
    };
    const release = await this.#mutex.acquire(ownerId);
    try {
      return await transact(lockAndWork);
    } finally {
      release();
    }
  }

  /**
   * Charges files and directories to the owner whose drive the transaction has locked.
   * @throws Failure `over-limit` if their bytes exceed the quota, or if there are too many entries
   */
  chargeUsage(tx: Tx, ownerId: number, usage: Usage): Promise<void> {
    return chargeUsage(tx, ownerId, usage);
  }

  /** Releases the usage of removed entries. The transaction must have locked the owner's drive. */
  releaseUsage(tx: Tx, ownerId: number, usage: Usage): Promise<void> {
    return releaseUsage(tx, ownerId, usage);
  }

  /**
   * By how many bytes the recycle bin and the former versions of a drive exceed their limit, which is the
   * quota. The transaction must have locked the drive.
   */
  findKeptExcess(tx: Tx, ownerId: number): Promise<number> {
    return findKeptExcess(tx, ownerId);
  }

  /**
   * Changes what counts as the owner's usage without regard to the limits. The transaction must have locked
   * the owner's drive.
   */
  correctUsage(tx: Tx, ownerId: number, change: Usage): Promise<void> {
    return correctUsage(tx, ownerId, change);
  }

  /** The largest file that the owner could upload now. @throws Failure `not-found` */
  getUploadLimit(db: Db, ownerId: number): Promise<UploadLimit> {
    return getUploadLimit(db, ownerId);
  }

  /**
   * The largest content that could replace that of a file of so many bytes now.
   * @throws Failure `not-found`
   */
  getReplacementLimit(db: Db, ownerId: number, replacedBytes: number): Promise<UploadLimit> {
    return getReplacementLimit(db, ownerId, replacedBytes);
  }

  /** The unused part of the owner's quota. @throws Failure `not-found` */
  getFreeBytes(db: Db, ownerId: number): Promise<number> {
    return getFreeBytes(db, ownerId);
  }

  /** How many files and directories the owner can still create. @throws Failure `not-found` */
  getFreeEntries(db: Db, ownerId: number): Promise<number> {
    return getFreeEntries(db, ownerId);
  }

  /** The size limit of the owner's uploads, regardless of the quota. @throws Failure `not-found` */
  getMaxUploadBytes(db: Db, ownerId: number): Promise<number> {
    return getMaxUploadBytes(db, ownerId);
  }

  /** Deletes the rows of used login tickets that no instance accepts any more, because they have expired. */
  deleteExpiredLoginTickets(signal: AbortSignal): Promise<void> {
    const before = this.#parts.clock.now() - MAX_CLOCK_DIFFERENCE_MS;
    return deleteExpiredRows(this.#parts.database, 'used_login_ticket', before, signal);
  }

  deleteExpiredSessions(signal: AbortSignal): Promise<void> {
    return this.sessions.deleteExpired(signal);
  }
}
