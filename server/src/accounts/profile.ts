import type { Clock } from '../base/clock.ts';
import { toTimestamp } from '../base/dates.ts';
import type { Database } from '../database/database.ts';
import { conflictOn } from '../database/unique-violations.ts';
import { TAKEN } from './account-creation.ts';
import { foldEmail, toBio, toDisplayName, toEmail, toLanguage, toPhoneNumber } from './account-rules.ts';
import type { ProfileBody, User } from './contract.ts';
import { type AccountWithUsage, getAccount, type ProfileChanges, updateProfile } from './queries.ts';

/** The profiles that users edit themselves. */
export class Profiles {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async get(accountId: number): Promise<User> {
    return toUser(await getAccount(this.#database.db, accountId));
  }

  /** @throws Failure `invalid`; `conflict` if another account has the e-mail address or the phone number */
  async change(accountId: number, body: ProfileBody): Promise<User> {
    const changes = toChanges(body);
    return this.#database.transact(async (tx) => {
      await updateProfile(tx, accountId, changes, this.#clock.now()).catch(conflictOn(TAKEN));
      return toUser(await getAccount(tx, accountId));
    });
  }
}

/** Missing members stay unchanged; null clears a value, and so does a blank bio or language. */
function toChanges({ displayName, email, phoneNumber, bio, preferredLanguage }: ProfileBody): ProfileChanges {
  return {
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
    phoneNumber: account.phoneNumber,
    bio: account.bio,
    preferredLanguage: account.preferredLanguage,
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
