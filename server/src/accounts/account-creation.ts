import type { Clock } from '../base/clock.ts';
import type { Role } from '../base/domain/accounts.ts';
import type { Tx } from '../database/database.ts';
import { conflictOn } from '../database/unique-violations.ts';

import { foldEmail, foldUsername } from './account-rules.ts';
import { type Account, insertAccount } from './queries.ts';

/** What must exist as soon as an account does; runs in the transaction that creates it. */
export type CreatedHook = (tx: Tx, accountId: number) => Promise<void>;

/** What two accounts cannot share, by unique rule, in the words for whoever comes second. */
export const TAKEN = {
  'account(folded_username)': 'This username is taken.',
  'account(folded_email)': 'This e-mail address belongs to another account.',
  'account(phone_number)': 'This phone number belongs to another account.',
} as const;

/** The one way in which accounts come to be: by registration, at the first start, by dev-login. */
export class AccountCreation {
  readonly #clock: Clock;
  readonly #defaults: { quotaBytes: number; maxUploadBytes: number };
  readonly #hooks: CreatedHook[] = [];

  constructor(clock: Clock, defaults: { quotaBytes: number; maxUploadBytes: number }) {
    this.#clock = clock;
    this.#defaults = defaults;
  }

  onCreated(hook: CreatedHook): void {
    this.#hooks.push(hook);
  }

  /** @throws Failure `conflict` when another account has the username, e-mail address or phone number */
  async create(
    tx: Tx,
    account: {
      username: string;
      email: string | null;
      phoneNumber: string | null;
      passwordHash: string | null;
      role: Role;
    },
  ): Promise<Account> {
    const created = await insertAccount(tx, {
      ...account,
      ...this.#defaults,
      foldedUsername: foldUsername(account.username),
      foldedEmail: account.email === null ? null : foldEmail(account.email),
      displayName: account.username,
      createdAt: this.#clock.now(),
    }).catch(conflictOn(TAKEN));
    for (const hook of this.#hooks) await hook(tx, created.id);
    return created;
  }
}
