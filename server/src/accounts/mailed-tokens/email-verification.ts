import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import {
  byAddress,
  CREDENTIALS_BY_ADDRESS,
  type CredentialLimiter,
  type Limit,
  VERIFICATIONS_BY_ACCOUNT,
} from '../../limits/limits.ts';
import { type LetterLanguage, type Mail, mailIsOff, tooManyMailsWait } from '../../mail/mail.ts';
import { foldEmail } from '../account-rules.ts';
import { type Account, getAccount, lockActiveAccount } from '../queries.ts';
import type { OwnerCheck, OwnerProof } from '../security/owner-check.ts';
import type { AccountTokens } from './account-tokens.ts';
import { deleteTokensOf, setEmailVerified } from './queries.ts';

const KIND = 'EMAIL_VERIFICATION';

interface EmailVerificationParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly limiter: CredentialLimiter;
  readonly mail: Mail;
  readonly tokens: AccountTokens;
  readonly ownerCheck: OwnerCheck;
}

/** Verifies that mail to the address of an account reaches its owner. */
export class EmailVerification {
  readonly #parts: EmailVerificationParts;

  constructor(parts: EmailVerificationParts) {
    this.#parts = parts;
  }

  /**
   * Mails the owner of the account a link. The caller must be the owner: someone else may have set the
   * address while mail was off, and a verified address can get a new password.
   * @param acceptedLanguage used if the account has no preferred language
   * @throws Failure `rejected` if mail is off, or if the account has no address or a verified one; `too-many`;
   *   `unavailable` if too many mails wait; whatever {@link OwnerCheck.runWithProof} throws
   */
  async request(caller: Caller, proof: OwnerProof, acceptedLanguage: LetterLanguage | null): Promise<void> {
    if (!this.#parts.mail.isOn) throw mailIsOff();
    await this.#parts.limiter.attempt(limitMails(caller.accountId), () =>
      this.#parts.ownerCheck.runWithProof(caller, proof, async (tx) => {
        const account = await getAccount(tx, caller.accountId);
        if (account.email === null) throw new Failure('rejected', 'Your profile has no e-mail address.');
        if (account.emailVerifiedAt !== null) {
          throw new Failure('rejected', 'Your e-mail address is already verified.');
        }
        if (!(await this.mailLink(tx, account, acceptedLanguage))) throw tooManyMailsWait();
      }),
    );
  }

  /**
   * Runs work that mails a link to a new address of the account, and counts it if it succeeds. Someone who
   * changes the address again and again must not be able to send mails to many strangers.
   * @param work gets whether it may mail the link
   */
  async countMail<T>(accountId: number, work: (mayMail: boolean) => Promise<T>): Promise<T> {
    let isAdmitted = false;
    try {
      return await this.#parts.limiter.attempt(limitMails(accountId), () => {
        isAdmitted = true;
        return work(true);
      });
    } catch (error) {
      // The work may exceed other limits.
      if (isAdmitted || !(error instanceof Failure) || error.kind !== 'too-many') throw error;
    }
    return work(false);
  }

  /**
   * Mails the link, unless mail is off or there is nothing to verify. The transaction must have created or
   * locked the account.
   * @param acceptedLanguage used if the account has no preferred language
   * @returns whether a mail was queued
   */
  async mailLink(tx: Tx, account: Account, acceptedLanguage: LetterLanguage | null): Promise<boolean> {
    const { id: accountId, email: to, preferredLanguage } = account;
    if (!this.#parts.mail.isOn || to === null || account.emailVerifiedAt !== null) return false;
    const token = await this.#parts.tokens.create(tx, KIND, { accountId, foldedEmail: foldEmail(to) });
    const letter = { kind: 'VERIFICATION', token } as const;
    const language = preferredLanguage ?? acceptedLanguage;
    return this.#parts.mail.queue(tx, { to, accountId, language, letter });
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
