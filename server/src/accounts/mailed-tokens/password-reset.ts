import type { Clock } from '../../base/clock.ts';
import type { Database, Tx } from '../../database/database.ts';
import {
  byAddress,
  CREDENTIALS_BY_ADDRESS,
  type CredentialLimiter,
  PASSWORD_RESETS_BY_ADDRESS,
  PASSWORD_RESETS_BY_EMAIL,
} from '../../limits/limits.ts';
import { type LetterLanguage, type Mail, mailIsOff } from '../../mail/mail.ts';
import type { Settings } from '../../settings/settings.ts';
import { foldEmail, toEmail } from '../account-rules.ts';
import { deleteAppPasswordsOf } from '../app-passwords/queries.ts';
import type { InitialPassword } from '../passwords/initial-password.ts';
import { checkNewPassword } from '../passwords/new-password.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { lockActiveAccount, setOwnPasswordHash } from '../queries.ts';
import type { SecurityLog } from '../security/security-log.ts';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import type { AccountTokens } from './account-tokens.ts';
import { findResettable } from './queries.ts';

const KIND = 'PASSWORD_RESET';

/** No account has this id. */
const NO_ACCOUNT = 0;

interface PasswordResetParts {
  readonly database: Database;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly limiter: CredentialLimiter;
  readonly mail: Mail;
  readonly tokens: AccountTokens;
  readonly sessions: LoginSessions;
  readonly log: SecurityLog;
  readonly initialPassword: InitialPassword;
}

/** Lets people who have forgotten their password set a new one, with a link that is mailed to them. */
export class PasswordReset {
  readonly #parts: PasswordResetParts;

  constructor(parts: PasswordResetParts) {
    this.#parts = parts;
  }

  /**
   * Mails a link if the address is the verified one of an active account with a password. Otherwise it does
   * the same work and mails nothing, so that neither the answer nor its time reveals who has an account.
   * @param address the client's address
   * @param acceptedLanguage used if the account has no preferred language
   * @throws Failure `rejected` if mail is off; `invalid` for a text that is no e-mail address; `too-many`
   */
  async request(email: string, address: string, acceptedLanguage: LetterLanguage | null): Promise<void> {
    if (!this.#parts.mail.isOn) throw mailIsOff();
    const foldedEmail = foldEmail(toEmail(email));
    const limits = [
      byAddress(PASSWORD_RESETS_BY_ADDRESS, address),
      { rule: PASSWORD_RESETS_BY_EMAIL, key: foldedEmail },
    ];
    await this.#parts.limiter.attempt(limits, () =>
      this.#parts.database.transact((tx) => this.#mailLink(tx, foldedEmail, acceptedLanguage)),
    );
  }

  /**
   * Sets a new password, and ends every session, app password and other reset link of the account. Second
   * factors stay.
   * @param address the client's address
   * @throws Failure `rejected` if the token cannot be spent; `invalid` if the password breaks a rule, and then
   *   the token is not spent; `too-many`
   */
  async confirm(token: string, newPassword: string, address: string): Promise<void> {
    await this.#parts.limiter.attempt([byAddress(CREDENTIALS_BY_ADDRESS, address)], async () => {
      const owner = await this.#parts.tokens.getOwner(token, KIND);
      await checkNewPassword(newPassword, owner.username, 'newPassword');
      const hash = await hashPassword(newPassword, { address });
      const wasInitial = await this.#parts.database.transact(async (tx) => {
        const account = await lockActiveAccount(tx, owner.id);
        await this.#parts.tokens.spend(tx, token, KIND);
        await setOwnPasswordHash(tx, account.id, hash, this.#parts.clock.now());
        await this.#parts.sessions.endAll(tx, account.id, 'password-changed');
        await deleteAppPasswordsOf(tx, account.id);
        await this.#parts.log.record(tx, account, 'RESET_PASSWORD', { origin: { address } });
        return this.#parts.initialPassword.retire(tx, account.id);
      });
      // The password is changed even if the file cannot be removed. The next start removes a stale file.
      if (wasInitial) await this.#parts.initialPassword.remove().catch(() => undefined);
    });
  }

  async #mailLink(tx: Tx, foldedEmail: string, acceptedLanguage: LetterLanguage | null): Promise<void> {
    // A write in every case, so that every request waits for the disk. It also makes requests take turns, so
    // that no account gets more links than it may have.
    await this.#parts.settings.putMarker(tx, 'password-reset', '');
    const account = await findResettable(tx, foldedEmail);
    const owner = { accountId: account?.id ?? NO_ACCOUNT, foldedEmail };
    const token = await this.#parts.tokens.create(tx, KIND, owner);
    const letter = { kind: 'PASSWORD_RESET', displayName: account?.displayName ?? '', token } as const;
    if (account === undefined) return this.#parts.mail.pretendToQueue(tx, letter);
    const { id: accountId, email: to, preferredLanguage } = account;
    const language = preferredLanguage ?? acceptedLanguage;
    await this.#parts.mail.queue(tx, { to, accountId, language, letter });
  }
}
