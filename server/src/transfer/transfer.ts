import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Drive } from '../drive/drive.ts';
import {
  byAddress,
  type CredentialLimiter,
  PICKUP_CODES_BY_ADDRESS,
  PICKUP_CODES_TOTAL,
} from '../limits/limits.ts';
import type { Settings } from '../settings/settings.ts';
import { AnonymousStorageBudget } from './anonymous-storage-budget.ts';
import { notReady, OfflineFiles } from './offline/files.ts';
import { deleteLockedSession, lockSession, selectReferences } from './offline/queries.ts';
import { OfflineStorageLimit } from './offline/storage-limit.ts';
import { isPickupCode, newPickupCode } from './pickup-code.ts';
import {
  deleteExpired,
  findFiles,
  findSession,
  findSessionByCode,
  insertFiles,
  insertSession,
  joinAsReceiver,
  type NewSession,
} from './queries.ts';
import { isSender, newPeerToken } from './signals/peer-token.ts';
import { Signals } from './signals/signals.ts';
import {
  type AnnouncedFile,
  noSuchTransfer,
  type TransferFile,
  type TransferSession,
  type TransferWithFiles,
} from './transfer-session.ts';

export type { TransferFile, TransferSession, TransferWithFiles };

/** Codes are a billion, so the second try is rare and the last one is never. */
const MAX_CODE_ATTEMPTS = 10;
const EXPIRED_BATCH = 500;

export interface Announcement {
  /** Who makes it; null without a login. */
  readonly ownerId: number | null;
  readonly files: readonly AnnouncedFile[];
  /** Whether signals are taken with a peer token only. */
  readonly requiresToken: boolean;
}

/** Quick transfer: files from one to another by a code (contract, section 6). */
export class Transfers {
  readonly signals: Signals;
  readonly offline: OfflineFiles;
  readonly storage: OfflineStorageLimit;
  readonly #database: Database;
  readonly #limiter: CredentialLimiter;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #blobs: Blobs;
  readonly #accounts: Accounts;
  readonly #anonymousBudget: AnonymousStorageBudget;
  readonly #onlineTtlMs: number;
  readonly #offlineTtlMs: number;

  constructor(parts: {
    database: Database;
    settings: Settings;
    limiter: CredentialLimiter;
    clock: Clock;
    ids: Ids;
    blobs: Blobs;
    accounts: Accounts;
    drive: Drive;
    rateLimits: boolean;
    onlineTransferTtlMs: number;
    offlineTransferTtlMs: number;
    offlineStorageLimitBytes: number;
  }) {
    this.#anonymousBudget = new AnonymousStorageBudget(parts);
    this.signals = new Signals({ ...parts, anonymousBudget: this.#anonymousBudget });
    this.offline = new OfflineFiles(parts);
    this.storage = new OfflineStorageLimit(parts);
    this.#database = parts.database;
    this.#limiter = parts.limiter;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#blobs = parts.blobs;
    this.#accounts = parts.accounts;
    this.#onlineTtlMs = parts.onlineTransferTtlMs;
    this.#offlineTtlMs = parts.offlineTransferTtlMs;
  }

  /**
   * Makes an ONLINE session; gives it with the sender's peer token.
   * @param address of somebody without a login
   * @throws Failure `too-many`
   */
  async create(
    announcement: Announcement,
    address: string | undefined,
  ): Promise<TransferWithFiles & { peerToken: string }> {
    const { files } = announcement;
    const kept = { rows: 1 + files.length, textBytes: JSON.stringify(files).length };
    const kind = { mode: 'ONLINE', status: 'WAITING', offlineBytes: 0 } as const;
    return await this.#anonymousBudget.keep(address, kept, () =>
      this.#make({ ...kind, ttlMs: this.#onlineTtlMs }, announcement, async () => {}),
    );
  }

  /**
   * Makes an OFFLINE session, which takes room for all of its files.
   * @throws Failure `over-limit` when there is not so much, or a file is larger than the owner may upload, or than the
   *   storage takes
   */
  async createOffline(
    announcement: Announcement & { ownerId: number },
  ): Promise<TransferWithFiles & { peerToken: string }> {
    const sizes = announcement.files.map(({ size }) => size);
    const offlineBytes = sizes.reduce((sum, size) => sum + size, 0);
    const largest = Math.max(...sizes);
    if (largest > (await this.#accounts.getMaxUploadBytes(this.#database.db, announcement.ownerId))) {
      throw new Failure('over-limit', 'A file is larger than you may upload.');
    }
    if (largest > (await this.#blobs.getMaxObjectBytes())) {
      throw new Failure('over-limit', 'A file is larger than the storage takes.');
    }
    const kind = { mode: 'OFFLINE', status: 'UPLOADING', offlineBytes } as const;
    return await this.#make({ ...kind, ttlMs: this.#offlineTtlMs }, announcement, (tx) =>
      this.storage.take(tx, offlineBytes),
    );
  }

  /**
   * The session of a code.
   * @param address of who asks: so many wrong codes a minute, and then also the right one is refused
   * @throws Failure `not-found` for a wrong code like for one whose time is over; `too-many`
   */
  async lookUp(code: string, address: string): Promise<TransferWithFiles> {
    const limits = [byAddress(PICKUP_CODES_BY_ADDRESS, address), { rule: PICKUP_CODES_TOTAL, key: 'all' }];
    return await this.#limiter.attempt(limits, async () => {
      const session = isPickupCode(code)
        ? await findSessionByCode(this.#database.db, code, this.#clock.now())
        : undefined;
      if (session === undefined) {
        throw new Failure('not-found', 'There is no transfer with this pickup code, or it has ended.');
      }
      return await this.#withFiles(session);
    });
  }

  /**
   * ONLINE: makes the caller the one receiver; gives the receiver's peer token. The sender is told by a signal.
   * OFFLINE: gives what can be downloaded, as often as anybody asks.
   * @throws Failure `conflict` when there is a receiver; `rejected` for OFFLINE as long as not all files are there;
   *   `not-found`
   */
  async join(id: string): Promise<TransferWithFiles & { peerToken: string | undefined }> {
    const found = await this.#get(id);
    if (found.mode === 'OFFLINE') {
      if (found.status !== 'READY') throw notReady();
      return { ...(await this.#withFiles(found)), peerToken: undefined };
    }
    const { token: peerToken, hash } = newPeerToken(this.#ids);
    await this.#database.transact(async (tx) => {
      const cursor = await joinAsReceiver(tx, id, hash, this.#clock.now());
      if (cursor === undefined) {
        if ((await findSession(tx, id, this.#clock.now())) === undefined) throw noSuchTransfer();
        throw new Failure('conflict', 'Somebody else has joined this transfer already.');
      }
      const message = JSON.stringify({ type: 'peer-joined', payload: null });
      await this.signals.add(tx, id, { cursor, from: 'receiver', message });
    });
    return { ...(await this.#withFiles(await this.#get(id))), peerToken };
  }

  /**
   * Ends it at once.
   * @throws Failure `forbidden` for anybody but the sender; `not-found`
   */
  async end(id: string, by: { accountId: number | undefined; token: string | undefined }): Promise<void> {
    const session = await this.#get(id);
    if (!isSender(session, by)) throw new Failure('forbidden', 'Only the sender may end this transfer.');
    await this.#database.transact(async (tx) => {
      if (!(await lockSession(tx, id, this.#clock.now()))) throw noSuchTransfer();
      if (session.mode === 'OFFLINE') await this.#blobs.dropReferences(tx, selectReferences(id));
      await deleteLockedSession(tx, id);
      await this.signals.publishChange(tx, id);
    });
  }

  /** Removes what is left of sessions whose time is over. */
  async removeExpired(signal: AbortSignal): Promise<void> {
    await this.offline.removeExpired(signal);
    for (let removed = EXPIRED_BATCH; removed === EXPIRED_BATCH && !signal.aborted; ) {
      removed = await this.#database.transact((tx) => deleteExpired(tx, this.#clock.now(), EXPIRED_BATCH));
    }
  }

  async #make(
    kind: Pick<NewSession, 'mode' | 'status' | 'offlineBytes'> & { ttlMs: number },
    { ownerId, requiresToken, files: announced }: Announcement,
    takeRoom: (tx: Tx) => Promise<void>,
  ): Promise<TransferWithFiles & { peerToken: string }> {
    const { token: peerToken, hash: senderHash } = newPeerToken(this.#ids);
    const files = announced.map((file) => ({ ...file, id: this.#ids.uuid(), isUploaded: false }));
    const { ttlMs, ...rest } = kind;
    const draft = { ...rest, id: this.#ids.uuid(), ownerId, senderHash, requiresToken };
    const session = await this.#database.transact(async (tx) => {
      const now = this.#clock.now();
      await takeRoom(tx);
      for (let attempt = 0; attempt < MAX_CODE_ATTEMPTS; attempt += 1) {
        const named = { ...draft, pickupCode: newPickupCode(this.#ids), expiresAt: now + ttlMs };
        if (!(await insertSession(tx, named, now))) continue;
        await insertFiles(tx, draft.id, files);
        return { ...named, receiverHash: null, signalCount: 0, createdAt: now };
      }
      throw new Failure('unavailable', 'There is no free pickup code at the moment.', {
        retryAfterSeconds: 5,
      });
    });
    return { session, files, peerToken };
  }

  async #get(id: string): Promise<TransferSession> {
    const session = await findSession(this.#database.db, id, this.#clock.now());
    if (session === undefined) throw noSuchTransfer();
    return session;
  }

  async #withFiles(session: TransferSession): Promise<TransferWithFiles> {
    return { session, files: await findFiles(this.#database.db, session.id) };
  }
}
