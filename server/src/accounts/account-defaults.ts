import { Failure } from '../base/failure.ts';
import type { Db, Tx } from '../database/database.ts';
import type { AccountDefaultName, Settings } from '../settings/settings.ts';

/** The limits of new accounts. */
export type DefaultLimits = Readonly<Record<AccountDefaultName, number>>;

/** A limit to change; null for the configured one. */
export type DefaultsChange = { readonly [Name in AccountDefaultName]?: number | null | undefined };

const NAMES = ['quotaBytes', 'maxUploadBytes', 'maxEntries'] as const;

/** The limits of new accounts: those that an admin has set, and the configured ones for the rest. */
export class AccountDefaults {
  readonly #settings: Settings;
  readonly #configured: DefaultLimits;
  readonly #leastEntries: number;

  /** @param leastEntries what a new drive has already: its default directories */
  constructor(settings: Settings, configured: DefaultLimits, leastEntries: number) {
    this.#settings = settings;
    this.#configured = configured;
    this.#leastEntries = leastEntries;
  }

  async find(db: Db): Promise<DefaultLimits> {
    return { ...this.#configured, ...(await this.#settings.findAccountDefaults(db)) };
  }

  /**
   * Existing accounts keep their limits.
   * @throws Failure `invalid` if new accounts could not have their default directories
   */
  async change(tx: Tx, change: DefaultsChange): Promise<void> {
    const { maxEntries } = change;
    if (maxEntries != null && maxEntries < this.#leastEntries) {
      throw new Failure('invalid', `defaultMaxEntries must be at least ${this.#leastEntries}.`);
    }
    for (const name of NAMES) {
      const value = change[name];
      if (value !== undefined) await this.#settings.putAccountDefault(tx, name, value);
    }
  }
}
