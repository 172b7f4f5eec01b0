import type { Clock } from '../base/clock.ts';
import { toTimestamp } from '../base/dates.ts';
import type { Database, Tx } from '../database/database.ts';
import { conflictOn } from '../database/unique-violations.ts';
import type { Caller } from '../http/caller.ts';
import type { LetterLanguage, Mail } from '../mail/mail.ts';
import { TAKEN } from './account-creation.ts';
import { foldEmail, toBio, toDisplayName, toEmail, toLanguage, toPhoneNumber } from './account-rules.ts';
import type { ChangedProfile, ProfileBody, User } from './contract.ts';
import type { EmailVerification } from './mailed-tokens/email-verification.ts';
import {
  type AccountWithUsage,
  getAccount,
  lockActiveAccount,
  type ProfileChanges,
  updateProfile,
} from './queries.ts';
import type { OwnerCheck } from './security/owner-check.ts';

interface ProfilesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly mail: Mail;
  readonly ownerCheck: OwnerCheck;
  readonly emailVerification: EmailVerification;
}

/** The profiles that users edit themselves. */
export class Profiles {
  readonly #parts: ProfilesParts;

  constructor(parts: ProfilesParts) {
    this.#parts = parts;
  }

  async get(accountId: number): Promise<User> {
    return toUser(await getAccount(this.#parts.database.db, accountId));
  }

  /**
   * The owner must prove the removal or change of a verified address, because it receives password resets and
   * messages about security. Where mail is on, every new address needs the proof: it can be verified.
   * @param request the client's address, and the language of the mail if the account prefers none
   * @throws Failure `invalid`; `conflict` if another account has the e-mail address or the phone number;
   *   `forbidden` if a proof is missing; `rejected` if the password is wrong
   */
  async change(
    caller: Caller,
    { password, ...body }: ProfileBody,
    { address, acceptedLanguage }: { address: string; acceptedLanguage: LetterLanguage | null },
  ): Promise<ChangedProfile> {
    const { database, ownerCheck, emailVerification, mail } = this.#parts;
    const changes = toChanges(body);
    const changed = await database.transact(async (tx) => {
      if (await this.#needsProof(tx, caller, changes.folded_email)) return undefined;
      return this.#update(tx, caller, changes);
    });
    if (changed !== undefined) return toUser(changed);
    const isMailed = mail.isOn && changes.email !== null;
    const run = (mayMail: boolean) =>
      ownerCheck.runWithProof(caller, { password, address }, async (tx) => {
        const account = await this.#update(tx, caller, changes);
        if (!isMailed || account.emailVerifiedAt !== null) return toUser(account);
        const verificationMailed =
          mayMail && (await emailVerification.mailLink(tx, account, acceptedLanguage));
        return { ...toUser(account), verificationMailed };
      });
    return isMailed ? emailVerification.countMail(caller.accountId, run) : run(false);
  }

  /** Locks the account if its address changes, so that the address is not verified meanwhile. */
  async #needsProof(tx: Tx, { accountId }: Caller, foldedEmail: string | null | undefined): Promise<boolean> {
    if (foldedEmail === undefined) return false;
    await lockActiveAccount(tx, accountId);
    const { email, emailVerifiedAt } = await getAccount(tx, accountId);
    if ((email === null ? null : foldEmail(email)) === foldedEmail) return false;
    return emailVerifiedAt !== null || (this.#parts.mail.isOn && foldedEmail !== null);
  }

  async #update(tx: Tx, { accountId }: Caller, changes: ProfileChanges): Promise<AccountWithUsage> {
    await updateProfile(tx, accountId, changes, this.#parts.clock.now()).catch(conflictOn(TAKEN));
    return getAccount(tx, accountId);
  }
}

/** Missing members stay unchanged; null clears a value, and so does a blank bio or language. */
function toChanges(body: ProfileBody): ProfileChanges {
  const { displayName, email, phoneNumber, bio, preferredLanguage, firstStepsHidden } = body;
  return {
    ...(firstStepsHidden === undefined ? {} : { first_steps_hidden: firstStepsHidden ? 1 : 0 }),
    ...(displayName === undefined ? {} : { display_name: toDisplayName(displayName) }),
    ...(email === undefined ? {} : toEmailChange(email)),
    ...(phoneNumber === undefined
      ? {}
      : { phone_number: phoneNumber === null ? null : toPhoneNumber(phoneNumber) }),
    ...(bio === undefined ? {} : { bio: toBio(bio ?? '') }),
    ...(preferredLanguage === undefined ? {} : { preferred_language: toLanguage(preferredLanguage ?? '') }),
  };
}

function toEmailChange(text: string | null): Pick<ProfileChanges, 'email' | 'folded_email'> {
  if (text === null) return { email: null, folded_email: null };
  const email = toEmail(text);
  return { email, folded_email: foldEmail(email) };
}

/** The account as its owner sees it. */
export function toUser(account: AccountWithUsage): User {
  return {
    id: account.id,
    username: account.username,
    displayName: account.displayName,
    email: account.email,
    emailVerified: account.emailVerifiedAt !== null,
    phoneNumber: account.phoneNumber,
    bio: account.bio,
    preferredLanguage: account.preferredLanguage,
    firstStepsHidden: account.firstStepsHidden === 1,
    avatarUrl: account.avatarBlobId === null ? null : `/api/user/avatar/content?v=${account.avatarBlobId}`,
    role: account.role,
    mustChangePassword: account.mustChangePassword === 1,
    createdAt: toTimestamp(account.createdAt),
    storageQuotaBytes: account.quotaBytes,
    storageUsedBytes: account.usedBytes,
    keptBytes: account.keptBytes,
    maxKeptBytes: account.quotaBytes,
    maxUploadSizeBytes: account.maxUploadBytes,
    maxEntries: account.maxEntries,
    entryCount: account.entryCount,
  };
}
