import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Taken } from '../../database/unique-violations.ts';
import {
  byAddress,
  CREDENTIALS_BY_ADDRESS,
  type CredentialLimiter,
  REGISTRATIONS_BY_ADDRESS,
} from '../../limits/limits.ts';
import type { LetterLanguage } from '../../mail/mail.ts';
import type { Settings } from '../../settings/settings.ts';
import { type AccountCreation, TAKEN } from '../account-creation.ts';
import { foldEmail, foldUsername, toEmail, toLanguage, toPhoneNumber, toUsername } from '../account-rules.ts';
import type { Invitation, LoginState, RegisterBody } from '../contract.ts';
import type { EmailVerification } from '../mailed-tokens/email-verification.ts';
import { checkNewPassword } from '../passwords/new-password.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { findTaken } from '../queries.ts';
import type { LoginSessions, Origin } from '../sessions/login-sessions.ts';
import type { Invites } from './invites.ts';

interface RegistrationParts {
  readonly database: Database;
  readonly settings: Settings;
  readonly invites: Invites;
  readonly limiter: CredentialLimiter;
  readonly creation: AccountCreation;
  readonly sessions: LoginSessions;
  readonly emailVerification: EmailVerification;
}

/**
 * Registers an account with an invite code: the one of the settings, which is valid for one account, or one
 * that an administrator has created.
 *
 * Everything is checked twice. The first check only reads, so that a rejected registration costs no password
 * hash, and so that the reasons for rejection have a fixed order. The second check is made by the unique
 * indexes and the conditional update of the code, which also decide when registrations race. All writes are
 * one transaction, so a rejected registration does not use up the code.
 */
export class Registration {
  readonly #parts: RegistrationParts;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  /** @param acceptedLanguage of the verification mail, if the body has no preferred language */
  async register(
    body: RegisterBody,
    origin: Origin,
    acceptedLanguage: LetterLanguage | null,
  ): Promise<LoginState> {
    const user = await toNewUser(body);
    return this.#parts.limiter.attempt([byAddress(REGISTRATIONS_BY_ADDRESS, origin.address)], async () => {
      await this.#checkFree(user);
      await this.#checkInviteCode(body.inviteCode);
      const passwordHash = await hashPassword(body.password, { address: origin.address });
      return this.#parts.database.transact(async (tx) => {
        const account = await this.#parts.creation.create(tx, { ...user, passwordHash, role: 'USER' });
        await this.#spendInviteCode(tx, body.inviteCode);
        await this.#parts.emailVerification.mailLink(tx, account, acceptedLanguage);
        return this.#parts.sessions.start(tx, account, origin, 'none');
      });
    });
  }

  /**
   * Tells a visitor who invites, before anything is entered. Wrong codes count as guesses, and the answer does
   * not say whether a code was ever valid.
   * @throws Failure `rejected`, `too-many`
   */
  async describeInvitation(code: string, address: string): Promise<Invitation> {
    return this.#parts.limiter.attempt([byAddress(CREDENTIALS_BY_ADDRESS, address)], async () => {
      const { db } = this.#parts.database;
      if (code === (await this.#parts.settings.findInviteCode(db))) return { inviterName: null };
      const inviter = await this.#parts.invites.findInviter(db, code);
      if (inviter === undefined) throw invalidInviteCode();
      return { inviterName: inviter.name };
    });
  }

  async #checkFree({ username, email, phoneNumber }: NewUser): Promise<void> {
    const wanted = { foldedUsername: foldUsername(username), foldedEmail: foldEmail(email), phoneNumber };
    const taken = await findTaken(this.#parts.database.db, wanted);
    const has = (name: keyof typeof wanted) => taken.some((account) => account[name] === wanted[name]);
    if (has('foldedUsername')) throw toConflict(TAKEN['account(folded_username)']);
    if (has('foldedEmail')) throw toConflict(TAKEN['account(folded_email)']);
    if (has('phoneNumber')) throw toConflict(TAKEN['account(phone_number)']);
  }

  async #checkInviteCode(code: string): Promise<void> {
    const { db } = this.#parts.database;
    if (code === (await this.#parts.settings.findInviteCode(db))) return;
    if (!(await this.#parts.invites.isActive(db, code))) throw invalidInviteCode();
  }

  /** @throws Failure `rejected` if the code has just been spent */
  async #spendInviteCode(tx: Tx, code: string): Promise<void> {
    if (await this.#parts.settings.spendInviteCode(tx, code)) return;
    if (!(await this.#parts.invites.spend(tx, code))) throw invalidInviteCode();
  }
}

function invalidInviteCode(): Failure {
  return new Failure('rejected', 'The invite code is not valid.', { field: 'inviteCode' });
}

function toConflict({ message, field }: Taken): Failure {
  return new Failure('conflict', message, { field });
}

interface NewUser {
  readonly username: string;
  readonly email: string;
  readonly phoneNumber: string;
  readonly preferredLanguage: string | null;
}

async function toNewUser(body: RegisterBody): Promise<NewUser> {
  const user = {
    username: toUsername(body.username),
    email: toEmail(body.email),
    phoneNumber: toPhoneNumber(body.phoneNumber),
    preferredLanguage: toLanguage(body.preferredLanguage ?? ''),
  };
  await checkNewPassword(body.password, user.username);
  if (body.confirmPassword !== body.password) {
    throw new Failure('invalid', 'The two passwords are not the same.', { field: 'confirmPassword' });
  }
  return user;
}
