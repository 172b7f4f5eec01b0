import type { Failure } from '../base/failure.ts';
import type { FileName } from '../base/text/names/file-name.ts';
import type { Caller, Credentials } from '../http/caller.ts';
import type { Settings } from '../settings/settings.ts';
import { AccountCreation } from './account-creation.ts';
import { AccountDefaults } from './account-defaults.ts';
import { AccountDeletion } from './account-deletion.ts';
import { AccountAdministration } from './administration.ts';
import { AppPasswords, isAppPassword, isAppPasswordSession } from './app-passwords/app-passwords.ts';
import { AccountTokens } from './mailed-tokens/account-tokens.ts';
import { EmailVerification } from './mailed-tokens/email-verification.ts';
import { PasswordReset } from './mailed-tokens/password-reset.ts';
import { OperatorCommands } from './operator-commands.ts';
import { InitialPassword } from './passwords/initial-password.ts';
import { Profiles } from './profile.ts';
import { findAccount } from './queries.ts';
import { type FirstStart, runFirstStart } from './registration/first-start.ts';
import { Invites } from './registration/invites.ts';
import { Registration } from './registration/registration.ts';
import { OwnerCheck } from './security/owner-check.ts';
import type { LoginSessions } from './sessions/login-sessions.ts';
import { SignIn, type SignInParts } from './sign-in.ts';

export { acceptedLanguageOf } from './accepted-language.ts';
export type { DefaultsOfAccounts } from './account-defaults.ts';
export { foldEmail, foldUsername, MAX_IDENTITIES, toEmail } from './account-rules.ts';
export { hadFactors, type RemovedFactors } from './factor-removal.ts';
export { hashPassword, verifyPassword } from './passwords/passwords.ts';
export {
  type AccountName,
  findAccountsByBeginning,
  findNamedAccount,
  type NamedAccount,
} from './people-queries.ts';
export {
  type Account,
  type AccountWithUsage,
  findAccount,
  findAvatar,
  getAccount,
  hasAccounts,
  lockActiveAccount,
  noAccount,
} from './queries.ts';
export type { Invite } from './registration/invite-queries.ts';
export { LOGIN_METHODS } from './security/login-attempts.ts';
export { deleteExpiredLoginTickets } from './security/login-tickets.ts';

interface AccountsParts extends SignInParts {
  readonly settings: Settings;
  readonly defaultQuotaBytes: number;
  readonly defaultMaxUploadBytes: number;
  readonly defaultMaxEntries: number;
  readonly defaultDirectories: readonly FileName[];
  /** The directory where the first start stores the generated password. */
  readonly dataDir: string;
}

/**
 * What other features need from accounts: who the caller is, and which sessions are live. The account routes
 * use the parts directly.
 */
export class Accounts {
  readonly defaults: AccountDefaults;
  readonly creation: AccountCreation;
  readonly registration: Registration;
  readonly invites: Invites;
  readonly signIn: SignIn;
  readonly sessions: LoginSessions;
  readonly profiles: Profiles;
  readonly administration: AccountAdministration;
  readonly deletion: AccountDeletion;
  readonly operatorCommands: OperatorCommands;
  readonly appPasswords: AppPasswords;
  readonly mailedTokens: AccountTokens;
  readonly passwordReset: PasswordReset;
  readonly emailVerification: EmailVerification;
  readonly #parts: AccountsParts;
  readonly #initialPassword: InitialPassword;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
    const { database, settings, limiter, clock, ids } = parts;
    const { defaultQuotaBytes: quotaBytes, defaultMaxUploadBytes: maxUploadBytes } = parts;
    const { defaultMaxEntries: maxEntries, defaultDirectories: directories } = parts;
    this.defaults = new AccountDefaults(settings, { quotaBytes, maxUploadBytes, maxEntries, directories });
    const creation = new AccountCreation(clock, this.defaults);
    const initialPassword = new InitialPassword(parts.dataDir, settings, ids);
    const tokens = new AccountTokens(parts);
    const ownerCheck = new OwnerCheck({ database, clock, limiter });
    const emailVerification = new EmailVerification({ ...parts, tokens, ownerCheck });
    const signIn = new SignIn(parts, { creation, initialPassword, emailVerification, ownerCheck });
    const { sessions, requirement, log } = signIn;
    this.mailedTokens = tokens;
    this.emailVerification = emailVerification;
    this.passwordReset = new PasswordReset({ ...parts, tokens, sessions, log, initialPassword });
    this.creation = creation;
    this.signIn = signIn;
    this.sessions = sessions;
    this.#initialPassword = initialPassword;
    this.invites = new Invites({ database, settings, clock });
    parts.mail.checkBeforeSending(async (letter, accountId) => {
      if (accountId !== null) {
        const account = await findAccount(database.db, accountId);
        if (account?.banned !== 0 || account.deletingAt !== null) return 'The account is blocked or deleted.';
      }
      if (letter.kind !== 'INVITATION' || (await this.invites.isActive(database.db, letter.code))) return;
      return 'The invite was deleted, has expired or is used up.';
    });
    const { invites } = this;
    this.registration = new Registration({
      ...{ database, settings, invites, limiter },
      ...{ creation, sessions, emailVerification },
    });
    this.profiles = new Profiles({ ...parts, ownerCheck, emailVerification });
    this.appPasswords = new AppPasswords({
      ...{ database, clock, ids, limiter },
      requirement,
      log,
      onFailed: parts.onFailedLogin,
    });
    const changing = { database, clock, ids, creation, sessions, initialPassword, log };
    this.administration = new AccountAdministration(changing);
    this.operatorCommands = new OperatorCommands(changing);
    this.deletion = new AccountDeletion(database);
  }

  /** Creates the first admin if the database has no account; otherwise returns undefined. */
  runFirstStart(settings: {
    adminUsername: string;
    adminPassword: string | undefined;
    inviteCode: string | undefined;
  }): Promise<FirstStart | undefined> {
    return runFirstStart({
      ...settings,
      database: this.#parts.database,
      settings: this.#parts.settings,
      creation: this.creation,
      initialPassword: this.#initialPassword,
    });
  }

  /**
   * The caller that an access token or an app password belongs to; undefined if it is invalid, has expired or
   * was revoked. Requests cannot authenticate with the account's password.
   * @param address the client's address; wrong app passwords are counted per address
   * @throws Failure `too-many` after too many wrong app passwords; `forbidden` for an app password of a
   *   banned account
   */
  async findCaller(credentials: Credentials, address: string): Promise<Caller | undefined> {
    if (credentials.kind === 'basic') return this.appPasswords.findCaller(credentials, address);
    const { kind, token } = credentials;
    if (!isAppPassword(token)) return this.sessions.findCaller(token);
    return kind === 'query' ? undefined : this.appPasswords.findCaller({ password: token }, address);
  }

  /** Why the login session of these credentials has ended; undefined if that is not known. */
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
}
