import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Settings } from '../../settings/settings.ts';
import { sumOfflineBytes } from './queries.ts';

/** The room that all OFFLINE sessions share. What a session announces is taken from it until the session ends. */
export class OfflineStorageLimit {
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #defaultLimitBytes: number;

  constructor(parts: { settings: Settings; clock: Clock; offlineStorageLimitBytes: number }) {
    this.#settings = parts.settings;
    this.#clock = parts.clock;
    this.#defaultLimitBytes = parts.offlineStorageLimitBytes;
  }

  /** Bytes. As configured, until somebody has set another one; then that holds for all instances. */
  async getOfflineLimit(db: Db): Promise<number> {
    return (await this.#settings.findOfflineLimit(db)) ?? this.#defaultLimitBytes;
  }

  /**
   * For sessions that are made from now on; those that live keep what they took.
   * @throws Failure `invalid` for what is no number of bytes
   */
  async setOfflineLimit(tx: Tx, bytes: number): Promise<void> {
    if (!Number.isSafeInteger(bytes) || bytes < 0) {
      throw new Failure('invalid', 'The limit must be a whole number of bytes, 0 or more.');
    }
    await this.#settings.putOfflineLimit(tx, bytes);
  }

  /** Bytes that the live sessions have taken together. */
  getOfflineUsage(db: Db): Promise<number> {
    return sumOfflineBytes(db, this.#clock.now());
  }

  /**
   * Takes room, in the transaction that records the session.
   * @throws Failure `over-limit`
   */
  async reserve(tx: Tx, bytes: number): Promise<void> {
    // One after the other, so that what is summed up stays true until the commit.
    await this.#settings.lock(tx, 'offline-storage');
    if ((await this.getOfflineUsage(tx)) + bytes > (await this.getOfflineLimit(tx))) {
      throw new Failure('over-limit', 'There is not enough room for these files at the moment.');
    }
  }
}
