import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import { type FileName, toFileName } from '../base/text/names/file-name.ts';
import type { Db, Tx } from '../database/database.ts';
import {
  deleteSetting,
  findSetting,
  findSettings,
  getOrCreateSetting,
  putSetting,
  swapSetting,
} from './queries.ts';

const INVITE_CODE = 'invite-code';
const OFFLINE_LIMIT = 'offline-storage-limit-bytes';
/** The limits of new accounts. Each has its own setting, so that concurrent changes do not conflict. */
const ACCOUNT_DEFAULTS = {
  quotaBytes: 'default-quota-bytes',
  maxUploadBytes: 'default-max-upload-bytes',
  maxEntries: 'default-max-entries',
} as const;
/**
 * The setting with the directories of new drives. Its names are separated by slashes, which no name contains.
 */
const DEFAULT_DIRECTORIES = 'default-directories';
/** How the instance presents itself. Both settings of the logo change in one transaction. */
const INSTANCE = {
  name: 'instance-name',
  greeting: 'instance-greeting',
  logoVersion: 'instance-logo-version',
  logo: 'instance-logo',
} as const;
export const DEFAULT_INSTANCE_NAME = 'Holdall';
const SECRET_BITS = 256;
const INVITE_CODE_BITS = 96;

/** The limits of new accounts that an admin can set. */
export type AccountDefaultName = keyof typeof ACCOUNT_DEFAULTS;

type SecretName = 'jwt-secret' | 'download-secret' | 'vapid-key';

/** Settings and internal markers of the service, stored in the database and shared by all instances. */
export class Settings {
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /**
   * Returns the secret. The first call on a database stores it.
   * @param newSecret by default random text
   */
  getOrCreateSecret(tx: Tx, name: SecretName, newSecret = this.#ids.token(SECRET_BITS)): Promise<string> {
    return getOrCreateSetting(tx, name, newSecret, this.#clock.now());
  }

  /** Returns true to the first caller on this database and false to every later one. */
  async claimOnce(tx: Tx, name: string): Promise<boolean> {
    const claim = this.#ids.uuid();
    return (await getOrCreateSetting(tx, `claim:${name}`, claim, this.#clock.now())) === claim;
  }

  /** Returns the invite code. The first call on a database stores `first`, or else a random code. */
  getOrCreateInviteCode(tx: Tx, first: string | undefined): Promise<string> {
    return getOrCreateSetting(tx, INVITE_CODE, first ?? this.newInviteCode(), this.#clock.now());
  }

  findInviteCode(db: Db): Promise<string | undefined> {
    return findSetting(db, INVITE_CODE);
  }

  /**
   * Spends the invite code and replaces it with a new one, in the caller's transaction. Returns false if it
   * is not the current code.
   */
  spendInviteCode(tx: Tx, code: string): Promise<boolean> {
    return swapSetting(tx, {
      name: INVITE_CODE,
      expected: code,
      value: this.newInviteCode(),
      now: this.#clock.now(),
    });
  }

  /** Replaces the invite code with a random one, and returns the new code. */
  async rotateInviteCode(tx: Tx): Promise<string> {
    const code = this.newInviteCode();
    await this.putInviteCode(tx, code);
    return code;
  }

  putInviteCode(tx: Tx, code: string): Promise<void> {
    return putSetting(tx, INVITE_CODE, code, this.#clock.now());
  }

  /** The limit in bytes that an admin has set; undefined if none was set. */
  async findOfflineLimit(db: Db): Promise<number | undefined> {
    const bytes = await findSetting(db, OFFLINE_LIMIT);
    return bytes === undefined ? undefined : Number(bytes);
  }

  putOfflineLimit(tx: Tx, bytes: number): Promise<void> {
    return putSetting(tx, OFFLINE_LIMIT, String(bytes), this.#clock.now());
  }

  /** The limits of new accounts that an admin has set. */
  async findAccountDefaults(db: Db): Promise<Partial<Record<AccountDefaultName, number>>> {
    const stored = await findSettings(db, Object.values(ACCOUNT_DEFAULTS));
    const read = (name: AccountDefaultName) => {
      const value = stored.get(ACCOUNT_DEFAULTS[name]);
      return value === undefined ? {} : { [name]: Number(value) };
    };
    return { ...read('quotaBytes'), ...read('maxUploadBytes'), ...read('maxEntries') };
  }

  /** @param value null to use the configured limit */
  async putAccountDefault(tx: Tx, name: AccountDefaultName, value: number | null): Promise<void> {
    await this.#put(tx, ACCOUNT_DEFAULTS[name], value === null ? null : String(value));
  }

  /** The names of the directories of new drives that an admin has set; undefined if none were set. */
  async findDefaultDirectories(db: Db): Promise<readonly FileName[] | undefined> {
    const names = await findSetting(db, DEFAULT_DIRECTORIES);
    if (names === undefined) return undefined;
    return names === '' ? [] : names.split('/').map(toFileName);
  }

  /** @param names null to use the configured directories */
  async putDefaultDirectories(tx: Tx, names: readonly FileName[] | null): Promise<void> {
    await this.#put(tx, DEFAULT_DIRECTORIES, names === null ? null : names.join('/'));
  }

  /** How the instance presents itself. What an admin has not set is undefined. */
  async findInstance(db: Db) {
    const { name, greeting, logoVersion } = INSTANCE;
    const stored = await findSettings(db, [name, greeting, logoVersion]);
    return {
      name: stored.get(name) ?? DEFAULT_INSTANCE_NAME,
      greeting: stored.get(greeting),
      logoVersion: stored.get(logoVersion),
    };
  }

  /** @param texts null to use the default */
  async putInstanceTexts(
    tx: Tx,
    texts: { readonly name?: string | null; readonly greeting?: string | null },
  ): Promise<void> {
    if (texts.name !== undefined) await this.#put(tx, INSTANCE.name, texts.name);
    if (texts.greeting !== undefined) await this.#put(tx, INSTANCE.greeting, texts.greeting);
  }

  async findLogo(db: Db): Promise<{ readonly version: string; readonly base64: string } | undefined> {
    const stored = await findSettings(db, [INSTANCE.logoVersion, INSTANCE.logo]);
    const version = stored.get(INSTANCE.logoVersion);
    const base64 = stored.get(INSTANCE.logo);
    return version === undefined || base64 === undefined ? undefined : { version, base64 };
  }

  /** @param logo null for the default one */
  async putLogo(tx: Tx, logo: { readonly version: string; readonly base64: string } | null): Promise<void> {
    await this.#put(tx, INSTANCE.logoVersion, logo === null ? null : logo.version);
    await this.#put(tx, INSTANCE.logo, logo === null ? null : logo.base64);
  }

  /** Locks the name until the transaction ends. Other transactions on any instance wait if they lock it. */
  lock(tx: Tx, name: string): Promise<void> {
    return putSetting(tx, `held:${name}`, '', this.#clock.now());
  }

  /**
   * An internal value that the service keeps for later runs, such as a sweep's progress or the id of a store.
   */
  findMarker(db: Db, name: string): Promise<string | undefined> {
    return findSetting(db, `mark:${name}`);
  }

  /** Stores the marker unless it exists; returns the stored value. */
  getOrCreateMarker(tx: Tx, name: string, value: string): Promise<string> {
    return getOrCreateSetting(tx, `mark:${name}`, value, this.#clock.now());
  }

  putMarker(tx: Tx, name: string, value: string): Promise<void> {
    return putSetting(tx, `mark:${name}`, value, this.#clock.now());
  }

  /** Returns a random code without storing it. */
  newInviteCode(): string {
    return this.#ids.token(INVITE_CODE_BITS);
  }

  /** @param value null to delete the setting */
  async #put(tx: Tx, setting: string, value: string | null): Promise<void> {
    if (value === null) await deleteSetting(tx, setting);
    else await putSetting(tx, setting, value, this.#clock.now());
  }
}
