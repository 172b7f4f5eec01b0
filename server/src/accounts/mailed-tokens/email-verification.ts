import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import {
  byAddress,
  CREDENTIALS_BY_ADDRESS,
  type CredentialLimiter,
  type Limit,
  VERIFICATIONS_BY_ACCOUNT,
} from '../../limits/limits.ts';
import { type Mail, mailIsOff } from '../../mail/mail.ts';
import { type Account, lockActiveAccount } from '../queries.ts';
import type { AccountTokens } from './account-tokens.ts';
import { deleteTokensOf, setEmailVerified } from './queries.ts';

const KIND = 'EMAIL_VERIFICATION';

interface EmailVerificationParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly limiter: CredentialLimiter;
  readonly mail: Mail;
  readonly tokens: AccountTokens;
}

/** Verifies that mail to the address of an account reaches its owner. */
export class EmailVerification {
  readonly #parts: EmailVerificationParts;

  constructor(parts: EmailVerificationParts) {
    this.#parts = parts;
  }

  /**
   * Mails the owner of the account a link.
   * @throws Failure `rejected` if mail is off, or if the account has no address or a verified one; `too-many`
   */
  async request(accountId: number): Promise<void> {
    if (!this.#parts.mail.isOn) throw mailIsOff();
    await this.#parts.limiter.attempt(limitMails(accountId), () =>
      this.#parts.database.transact(async (tx) => {
        const account = await lockActiveAccount(tx, accountId);
        if (account.email === null) throw new Failure('rejected', 'Your profile has no e-mail address.');
        if (account.emailVerifiedAt !== null) {
          throw new Failure('rejected', 'Your e-mail address is already verified.');
        }
        await this.mailLink(tx, account);
      }),
    );
  }

  /**
   * Whether a changed address of the account may get a mail now. Counts the mail. Someone who changes the
   * address again and again must not be able to send mails to many strangers.
   */
  async mayMail(accountId: number): Promise<boolean> {
    try {
      return await this.#parts.limiter.attempt(limitMails(accountId), async () => true);
    } catch (error) {
      if (error instanceof Failure && error.kind === 'too-many') return false;
      throw error;
    }
  }

  /**
   * Mails the link, unless mail is off or there is nothing to verify. The transaction must have created or
   * locked the account.
   */
  async mailLink(tx: Tx, account: Account): Promise<void> {
    const { id: accountId, email: to, preferredLanguage: language, displayName } = account;
    if (!this.#parts.mail.isOn || to === null || account.emailVerifiedAt !== null) return;
    const token = await this.#parts.tokens.create(tx, accountId, KIND);
    const letter = { kind: 'VERIFICATION', displayName, token } as const;
    await this.#parts.mail.queue(tx, { to, accountId, language, letter });
  }

  /**
   * Verifies the address that the token was mailed to.
   * @param address the client's address
   * @throws Failure `rejected` if the token cannot be spent; `too-many`
   */
  async confirm(token: string, address: string): Promise<void> {
    await this.#parts.limiter.attempt([byAddress(CREDENTIALS_BY_ADDRESS, address)], async () => {
      const owner = await this.#parts.tokens.getOwner(token, KIND);
      await this.#parts.database.transact(async (tx) => {
        await lockActiveAccount(tx, owner.id);
        await this.#parts.tokens.spend(tx, token, KIND);
        await setEmailVerified(tx, owner.id, this.#parts.clock.now());
        await deleteTokensOf(tx, owner.id, KIND);
      });
    });
  }
}

function limitMails(accountId: number): readonly Limit[] {
  return [{ rule: VERIFICATIONS_BY_ACCOUNT, key: String(accountId) }];
}
