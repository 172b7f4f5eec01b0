import type { Clock } from '../base/clock.ts';
import type { Role } from '../base/domain/accounts.ts';
import type { Tx } from '../database/database.ts';
import { conflictOn } from '../database/unique-violations.ts';
import type { AccountDefaults, DefaultsOfAccounts } from './account-defaults.ts';
import { foldEmail, foldUsername } from './account-rules.ts';
import { type AccountWithUsage, getAccount, insertAccount } from './queries.ts';

/**
 * Runs in the transaction that creates an account. Creates what every account must have, such as its drive.
 * @param defaults the limits of the new drive, and the directories that it starts with
 */
type CreatedHook = (tx: Tx, accountId: number, defaults: DefaultsOfAccounts) => Promise<void>;

/** Messages for values that another account already has, keyed by the violated unique constraint. */
export const TAKEN = {
  'account(folded_username)': { field: 'username', message: 'This username is taken.' },
  'account(folded_email)': { field: 'email', message: 'This e-mail address belongs to another account.' },
  'account(phone_number)': {
    field: 'phoneNumber',
    message: 'This phone number belongs to another account.',
  },
} as const;

/** Creates all accounts: by registration, at the first start, by dev-login, by admins and by the operator. */
export class AccountCreation {
  readonly #clock: Clock;
  readonly #defaults: AccountDefaults;
  readonly #hooks: CreatedHook[] = [];

  constructor(clock: Clock, defaults: AccountDefaults) {
    this.#clock = clock;
    this.#defaults = defaults;
  }

  /**
   * Calls the hook in every transaction that creates an account. Must be called before the first account is
   * created.
   */
  onCreated(hook: CreatedHook): void {
    this.#hooks.push(hook);
  }

  /**
   * @throws Failure `conflict` if another account has the username, the e-mail address or the phone number
   */
  async create(
    tx: Tx,
    account: {
      username: string;
      /** Defaults to the username. */
      displayName?: string;
      email: string | null;
      /** Defaults to false. */
      isEmailVerified?: boolean;
      phoneNumber: string | null;
      /** Defaults to none (BCP 47). */
      preferredLanguage?: string | null;
      passwordHash: string | null;
      role: Role;
      /** Defaults to false: the user chose the password. */
      mustChangePassword?: boolean;
    },
  ): Promise<AccountWithUsage> {
    const defaults = await this.#defaults.find(tx);
    const now = this.#clock.now();
    const { email, isEmailVerified = false } = account;
    const id = await insertAccount(tx, {
      mustChangePassword: false,
      preferredLanguage: null,
      displayName: account.username,
      ...account,
      foldedUsername: foldUsername(account.username),
      foldedEmail: email === null ? null : foldEmail(email),
      emailVerifiedAt: email !== null && isEmailVerified ? now : null,
      createdAt: now,
    }).catch(conflictOn(TAKEN));
    for (const hook of this.#hooks) await hook(tx, id, defaults);
    return getAccount(tx, id);
  }
}
