import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Settings } from '../../settings/settings.ts';
import { sumOfflineBytes } from './queries.ts';

/**
 * Limits the storage of all OFFLINE sessions together. A session reserves what it announces until it ends.
 */
export class OfflineStorageLimit {
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #defaultLimitBytes: number;

  constructor(parts: { settings: Settings; clock: Clock; offlineStorageLimitBytes: number }) {
    this.#settings = parts.settings;
    this.#clock = parts.clock;
    this.#defaultLimitBytes = parts.offlineStorageLimitBytes;
  }

  /**
   * In bytes: the configured limit, unless an administrator has set another one, which all instances then
   * use.
   */
  async getOfflineLimit(db: Db): Promise<number> {
    return (await this.#settings.findOfflineLimit(db)) ?? this.#defaultLimitBytes;
  }

  /**
   * Applies to sessions created from now on; existing reservations stay.
   * @throws Failure `invalid` when it is not a whole number of bytes
   */
  async setOfflineLimit(tx: Tx, bytes: number): Promise<void> {
    if (!Number.isSafeInteger(bytes) || bytes < 0) {
      throw new Failure('invalid', 'The limit must be a whole number of bytes, 0 or more.');
    }
    await this.#settings.putOfflineLimit(tx, bytes);
  }

  /** Bytes that the live sessions have reserved. */
  getOfflineUsage(db: Db): Promise<number> {
    return sumOfflineBytes(db, this.#clock.now());
  }

  /**
   * Reserves storage, in the transaction that inserts the session.
   * @throws Failure `over-limit`
   */
  async reserve(tx: Tx, bytes: number): Promise<void> {
    // Serializes the reservations, so that the sum stays true until the commit.
    await this.#settings.lock(tx, 'offline-storage');
    if ((await this.getOfflineUsage(tx)) + bytes > (await this.getOfflineLimit(tx))) {
      throw new Failure('over-limit', 'There is not enough room for these files at the moment.');
    }
  }
}
