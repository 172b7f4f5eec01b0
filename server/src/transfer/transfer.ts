import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database } from '../database/database.ts';
import type { Drive } from '../drive/drive.ts';
import type { Drives } from '../drives/drives.ts';
import type { CredentialLimiter } from '../limits/limits.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Settings } from '../settings/settings.ts';
import type { UploadSessions } from '../uploads/uploads.ts';
import { DeviceOffers } from './devices/device-offers.ts';
import { DeviceStreams } from './devices/device-streams.ts';
import { TransferFetches } from './offline/fetches.ts';
import { OfflineFiles } from './offline/files.ts';
import { ResumableFiles } from './offline/resumable-files.ts';
import { OfflineStorageLimit } from './offline/storage-limit.ts';
import { OnlineStorageBudget } from './online-storage-budget.ts';
import { Signals } from './signals/signals.ts';
import { TransferSessions } from './transfer-sessions.ts';

/**
 * Quick transfer: sends files from one person to another with a pickup code. The files of an ONLINE session
 * go from browser to browser. Those of an OFFLINE session are stored here until it expires.
 */
export class Transfers {
  readonly sessions: TransferSessions;
  readonly signals: Signals;
  readonly offline: OfflineFiles;
  readonly fetches: TransferFetches;
  readonly resumable: ResumableFiles;
  readonly offlineLimit: OfflineStorageLimit;
  readonly deviceOffers: DeviceOffers;
  readonly deviceStreams: DeviceStreams;
  readonly #database: Database;

  constructor(parts: {
    database: Database;
    settings: Settings;
    limiter: CredentialLimiter;
    clock: Clock;
    ids: Ids;
    blobs: Blobs;
    accounts: Accounts;
    drives: Drives;
    drive: Drive;
    uploads: UploadSessions;
    notifications: Notifications;
    rateLimits: boolean;
    onlineTransferTtlMs: number;
    offlineTransferTtlMs: number;
    offlineStorageLimitBytes: number;
    /** Called when an account's devices cannot be sent to one of its event streams. */
    onDevicesFault: (error: unknown) => void;
    /** Called if it could not be noted that a receiver has fetched files. */
    onFetchFault: (error: unknown) => void;
  }) {
    this.#database = parts.database;
    const budget = new OnlineStorageBudget(parts);
    this.signals = new Signals({ ...parts, budget });
    this.offline = new OfflineFiles(parts);
    this.fetches = new TransferFetches(parts);
    this.resumable = new ResumableFiles({ ...parts, files: this.offline });
    this.offlineLimit = new OfflineStorageLimit(parts);
    this.sessions = new TransferSessions({
      ...parts,
      budget,
      signals: this.signals,
      offlineLimit: this.offlineLimit,
    });
    this.deviceOffers = new DeviceOffers({ ...parts, signals: this.signals });
    this.deviceStreams = new DeviceStreams({
      ...parts,
      offers: this.deviceOffers,
      onFault: parts.onDevicesFault,
    });
    parts.accounts.administration.onBanned((tx, accountId) => this.sessions.endAllOf(tx, accountId));
  }

  /**
   * Ends a session before it expires, and the uploads of its files.
   * @throws Failure `forbidden` unless the caller is the sender; `not-found`
   */
  async end(id: string, caller: { accountId: number | undefined; token: string | undefined }): Promise<void> {
    await this.sessions.end(id, caller);
    await this.resumable.endUploads(id);
  }

  /** Ends the sessions of an account that is being deleted, and deletes them. */
  async deleteAllOf(accountId: number, signal: AbortSignal): Promise<void> {
    await this.#database.transact((tx) => this.sessions.endAllOf(tx, accountId));
    await this.deleteExpired(signal);
    signal.throwIfAborted();
  }

  /**
   * Deletes expired sessions of both modes, their uploads, and OFFLINE sessions to which nothing was
   * uploaded.
   */
  async deleteExpired(signal: AbortSignal): Promise<void> {
    await this.offline.deleteAbandoned(signal);
    await this.resumable.endOrphanedUploads(signal);
    await this.offline.deleteExpired(signal);
    await this.sessions.deleteExpired(signal);
  }
}
