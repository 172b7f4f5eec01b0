import { Failure } from '../base/failure.ts';
import type { FileName } from '../base/text/names/file-name.ts';
import type { Db, Tx } from '../database/database.ts';
import type { AccountDefaultName, Settings } from '../settings/settings.ts';

/** What new accounts get: their limits, and the directories of their drives. */
export interface DefaultsOfAccounts extends Readonly<Record<AccountDefaultName, number>> {
  readonly directories: readonly FileName[];
}

/** A default to change; null for the configured one. */
type DefaultsChange = {
  readonly [Name in keyof DefaultsOfAccounts]?: DefaultsOfAccounts[Name] | null | undefined;
};

const LIMITS = ['quotaBytes', 'maxUploadBytes', 'maxEntries'] as const;

/** What new accounts get: what an admin has set, and the configured values for the rest. */
export class AccountDefaults {
  readonly #settings: Settings;
  readonly #configured: DefaultsOfAccounts;

  constructor(settings: Settings, configured: DefaultsOfAccounts) {
    this.#settings = settings;
    this.#configured = configured;
  }

  async find(db: Db): Promise<DefaultsOfAccounts> {
    const defaults = await this.#read(db);
    // The configured limit may be smaller than it was when an admin set the directories.
    return { ...defaults, maxEntries: Math.max(defaults.maxEntries, defaults.directories.length) };
  }

  /**
   * Changes what new accounts get. Existing accounts do not change.
   * @throws Failure `invalid` if new accounts may have fewer entries than they get directories
   */
  async change(tx: Tx, { directories, ...limits }: DefaultsChange): Promise<void> {
    // Changes wait for each other here: two together could leave less room than the directories need.
    await this.#settings.lock(tx, 'account-defaults');
    for (const name of LIMITS) {
      const value = limits[name];
      if (value !== undefined) await this.#settings.putAccountDefault(tx, name, value);
    }
    if (directories !== undefined) await this.#settings.putDefaultDirectories(tx, directories);
    const after = await this.#read(tx);
    if (after.maxEntries < after.directories.length) {
      const field = limits.maxEntries === undefined ? 'defaultDirectories' : 'defaultMaxEntries';
      const message = `New accounts need at least ${after.directories.length} files and folders for their default folders.`;
      throw new Failure('invalid', message, { field });
    }
  }

  async #read(db: Db): Promise<DefaultsOfAccounts> {
    const limits = { ...this.#configured, ...(await this.#settings.findAccountDefaults(db)) };
    const directories = (await this.#settings.findDefaultDirectories(db)) ?? this.#configured.directories;
    return { ...limits, directories };
  }
}
