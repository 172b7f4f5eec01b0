import type { Clock } from '../../base/clock.ts';
import type { AccountInDrive } from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import type { Db, Tx } from '../../database/database.ts';
import { type Drives, getAllowance } from '../../drives/drives.ts';
import type { Settings } from '../../settings/settings.ts';
import { sumOfflineBytes, sumOfflineBytesOfOwner } from './queries.ts';

/** The share of the storage that one account's sessions may use together. */
const SHARE_OF_ONE_ACCOUNT = 1 / 10;

interface OfflineStorageLimitParts {
  readonly drives: Drives;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly offlineStorageLimitBytes: number;
}

/**
 * Limits the storage of all OFFLINE sessions together, and of each account's sessions, so that no one can use
 * up the shared storage. A session reserves its announced bytes until it ends.
 */
export class OfflineStorageLimit {
  readonly #parts: OfflineStorageLimitParts;
  readonly #defaultLimitBytes: number;

  constructor(parts: OfflineStorageLimitParts) {
    this.#parts = parts;
    this.#defaultLimitBytes = parts.offlineStorageLimitBytes;
  }

  /**
   * The limit in bytes. An administrator can replace the configured limit, and all instances use the
   * replacement.
   */
  async getOfflineLimit(db: Db): Promise<number> {
    return (await this.#parts.settings.findOfflineLimit(db)) ?? this.#defaultLimitBytes;
  }

  /**
   * Applies to sessions created from now on; existing reservations stay.
   * @throws Failure `invalid` when it is not a whole number of bytes
   */
  async setOfflineLimit(tx: Tx, bytes: number): Promise<void> {
    if (!Number.isSafeInteger(bytes) || bytes < 0) {
      throw new Failure('invalid', 'The limit must be a whole number of bytes, 0 or more.');
    }
    await this.#parts.settings.putOfflineLimit(tx, bytes);
  }

  /** The bytes that all live sessions have reserved. */
  getOfflineUsage(db: Db): Promise<number> {
    return sumOfflineBytes(db, this.#parts.clock.now());
  }

  /**
   * Reserves storage, in the transaction that inserts the session.
   * @throws Failure `over-limit`
   */
  async reserve(tx: Tx, { accountId, driveId }: AccountInDrive, bytes: number): Promise<void> {
    // Serializes reservations, so that the sums stay correct until the commit.
    await this.#parts.settings.lock(tx, 'offline-storage');
    const limit = await this.getOfflineLimit(tx);
    if ((await this.getOfflineUsage(tx)) + bytes > limit) {
      throw new Failure('over-limit', 'There is not enough room for these files at the moment.');
    }
    const own = await sumOfflineBytesOfOwner(tx, accountId, this.#parts.clock.now());
    if (own + bytes > (await this.#getLimitOfAccount(tx, driveId, limit))) {
      throw overOwnShare();
    }
  }

  /** The account's share, but at least one file of the largest size that it may upload. */
  async #getLimitOfAccount(tx: Tx, driveId: number, limit: number): Promise<number> {
    const share = Math.floor(limit * SHARE_OF_ONE_ACCOUNT);
    const { maxUploadBytes } = await getAllowance(tx, driveId);
    return Math.max(share, maxUploadBytes);
  }
}

export function overOwnShare(): Failure {
  return new Failure(
    'over-limit',
    'Your stored transfers would use more room than one account may have. End one of them first.',
  );
}
