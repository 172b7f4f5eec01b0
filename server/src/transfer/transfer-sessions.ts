import { type Accounts, lockActiveAccount } from '../accounts/accounts.ts';
import type { Clock, Instant } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import { hashToken } from '../base/text/hash-token.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database, Tx } from '../database/database.ts';
import { getAllowance } from '../drives/drives.ts';
import {
  byAddress,
  type CredentialLimiter,
  PICKUP_CODES_BY_ADDRESS,
  PICKUP_CODES_IN_FLOOD,
  PICKUP_CODES_TOTAL,
} from '../limits/limits.ts';
import { MAX_SESSIONS } from './contract.ts';
import { notReady } from './offline/files.ts';
import { deleteLockedSession, lockSession, selectReferences } from './offline/queries.ts';
import type { OfflineStorageLimit } from './offline/storage-limit.ts';
import type { OnlineStorageBudget, Payer } from './online-storage-budget.ts';
import { isPickupCode, newPickupCode } from './pickup-code.ts';
import {
  countSessions,
  deleteExpired,
  expireSessions,
  findFiles,
  findSession,
  findSessionByCode,
  insertFiles,
  insertSession,
  joinAsReceiver,
  type NewSession,
  releaseReceiver,
} from './queries.ts';
import { isSender, newPeerToken, roleOf } from './signals/peer-token.ts';
import { checkOnline, type Signals } from './signals/signals.ts';
import {
  type AnnouncedFile,
  noSuchTransfer,
  type TransferSession,
  type TransferWithFiles,
} from './transfer-session.ts';

/** There are a billion codes, so even a second attempt is rare. */
const MAX_CODE_ATTEMPTS = 10;

/** The maximum size of the file names and other texts of an account's sessions of one mode. */
const MAX_TEXT_BYTES = 8 * 1_024 * 1_024;

/** The bytes that each file counts in addition to its texts. */
const FILE_BYTES = 100;

/** Small, because each session is deleted with up to a thousand signals of 8 MiB in total. */
const EXPIRED_BATCH = 5;

interface Announcement {
  /** The account that creates the session; null for a caller without a login. */
  readonly accountId: number | null;
  readonly files: readonly AnnouncedFile[];
  /** Whether signals are accepted only with a peer token. */
  readonly requiresToken: boolean;
  /** The sender's salt if the files are encrypted; null otherwise. */
  readonly salt: string | null;
}

/** A new session, with the token that identifies its sender. */
type CreatedTransfer = TransferWithFiles & { readonly peerToken: string };

interface TransferSessionsParts {
  readonly database: Database;
  readonly limiter: CredentialLimiter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly blobs: Blobs;
  readonly accounts: Accounts;
  readonly signals: Signals;
  readonly offlineLimit: OfflineStorageLimit;
  readonly budget: OnlineStorageBudget;
  readonly onlineTransferTtlMs: number;
  readonly offlineTransferTtlMs: number;
}

/** Creates transfer sessions, finds them by pickup code, joins and ends them. */
export class TransferSessions {
  readonly #parts: TransferSessionsParts;
  readonly #onlineTtlMs: number;
  readonly #offlineTtlMs: number;

  constructor(parts: TransferSessionsParts) {
    this.#parts = parts;
    this.#onlineTtlMs = parts.onlineTransferTtlMs;
    this.#offlineTtlMs = parts.offlineTransferTtlMs;
  }

  /**
   * Creates an ONLINE session.
   * @throws Failure `too-many` when the payer has used up the budget; `over-limit` as for any session
   */
  async createOnline(announcement: Announcement, payer: Payer): Promise<CreatedTransfer> {
    const { files } = announcement;
    const textBytes = textBytesOf(files);
    const stored = { rows: 1 + files.length, textBytes };
    const kind = { mode: 'ONLINE', status: 'WAITING', offlineBytes: 0, textBytes } as const;
    return await this.#parts.budget.charge(payer, stored, () =>
      this.#create({ ...kind, ttlMs: this.#onlineTtlMs }, announcement, async () => {}),
    );
  }

  /**
   * Creates an OFFLINE session and reserves storage for all of its files.
   * @throws Failure `over-limit` if the files exceed the offline storage limit or the owner's share of it, or
   *   a file is larger than the owner may upload or the storage accepts
   */
  async createOffline(
    announcement: Announcement & { accountId: number },
    driveId: number,
  ): Promise<CreatedTransfer> {
    const sizes = announcement.files.map(({ size }) => size);
    const offlineBytes = sizes.reduce((sum, size) => sum + size, 0);
    const largest = Math.max(...sizes);
    const { maxUploadBytes } = await getAllowance(this.#parts.database.db, driveId);
    if (largest > maxUploadBytes) {
      throw new Failure('over-limit', 'A file is larger than you may upload.');
    }
    if (largest > (await this.#parts.blobs.getMaxObjectBytes())) {
      throw new Failure('over-limit', 'A file is larger than the storage takes.');
    }
    const textBytes = textBytesOf(announcement.files);
    const kind = { mode: 'OFFLINE', status: 'UPLOADING', offlineBytes, textBytes } as const;
    return await this.#create({ ...kind, ttlMs: this.#offlineTtlMs }, announcement, (tx) =>
      this.#parts.offlineLimit.reserve(tx, { accountId: announcement.accountId, driveId }, offlineBytes),
    );
  }

  /**
   * Gets the session with a pickup code.
   * @param address the caller's address. After too many wrong codes in a minute it cannot even use a right
   *   one.
   * @throws Failure `not-found` for a wrong code or an expired session; `too-many`
   */
  async getByCode(code: string, address: string): Promise<TransferWithFiles> {
    const limits = [
      byAddress(PICKUP_CODES_BY_ADDRESS, address),
      {
        rule: PICKUP_CODES_TOTAL,
        key: 'all',
        whenExceeded: byAddress(PICKUP_CODES_IN_FLOOD, address),
      },
    ];
    return await this.#parts.limiter.attempt(limits, async () => {
      const session = isPickupCode(code)
        ? await findSessionByCode(this.#parts.database.db, code, this.#parts.clock.now())
        : undefined;
      if (session === undefined) {
        throw new Failure('not-found', 'There is no transfer with this pickup code, or it has ended.');
      }
      return await this.#withFiles(session);
    });
  }

  /** @throws Failure `not-found` */
  async checkLive(id: string): Promise<void> {
    await this.#get(id);
  }

  /**
   * ONLINE: makes the caller the only receiver, returns the receiver's peer token and sends the sender a
   * signal. OFFLINE: returns the files to download; any number of callers may join.
   * @throws Failure `conflict` if an ONLINE session already has a receiver; `rejected` while files of an
   *   OFFLINE session are missing; `not-found`
   */
  async join(id: string): Promise<TransferWithFiles & { peerToken: string | undefined }> {
    const found = await this.#get(id);
    if (found.mode === 'OFFLINE') {
      if (found.status !== 'READY') throw notReady();
      return { ...(await this.#withFiles(found)), peerToken: undefined };
    }
    const { token: peerToken, hash } = newPeerToken(this.#parts.ids);
    await this.#parts.database.transact(async (tx) => {
      const cursor = await joinAsReceiver(tx, id, hash, this.#parts.clock.now());
      if (cursor === undefined) {
        if ((await findSession(tx, id, this.#parts.clock.now())) === undefined) throw noSuchTransfer();
        throw new Failure('conflict', 'Somebody else has joined this transfer already.');
      }
      const message = JSON.stringify({ type: 'peer-joined', payload: null });
      await this.#parts.signals.add(tx, id, { cursor, from: 'receiver', message });
      await this.#notifyDevices(tx, await findSession(tx, id, this.#parts.clock.now()));
    });
    return { ...(await this.#withFiles(await this.#get(id))), peerToken };
  }

  /**
   * Frees the receiver's place in an ONLINE session, so that the code can be used again. The receiver calls
   * it when its page is closed, the sender when it has heard nothing from the receiver for a while.
   * @param token of either side. Nothing happens if no one has joined.
   * @throws Failure `forbidden` for any other token, including an earlier receiver's; `rejected` when the
   *   session is not ONLINE; `not-found`
   */
  async leave(id: string, token: string | undefined): Promise<void> {
    const session = await this.#get(id);
    checkOnline(session);
    if (token === undefined) throw new Failure('forbidden', 'Leaving a transfer requires the peer token.');
    await this.#parts.database.transact(async (tx) => {
      const cursor = await releaseReceiver(tx, id, hashToken(token), this.#parts.clock.now());
      const after = await findSession(tx, id, this.#parts.clock.now());
      if (after === undefined) throw noSuchTransfer();
      if (cursor === undefined) return void roleOf(after, { token, role: undefined });
      const message = JSON.stringify({ type: 'peer-left', payload: null });
      await this.#parts.signals.add(tx, id, { cursor, from: 'receiver', message });
      await this.#notifyDevices(tx, after);
    });
  }

  /**
   * Ends a session before it expires.
   * @throws Failure `forbidden` unless the caller is the sender; `not-found`
   */
  async end(id: string, caller: { accountId: number | undefined; token: string | undefined }): Promise<void> {
    const session = await this.#get(id);
    if (!isSender(session, caller)) throw new Failure('forbidden', 'Only the sender may end this transfer.');
    await this.#parts.database.transact(async (tx) => {
      if (!(await lockSession(tx, id, this.#parts.clock.now()))) throw noSuchTransfer();
      await this.#notifyDevices(tx, await findSession(tx, id, this.#parts.clock.now()));
      if (session.mode === 'OFFLINE') await this.#parts.blobs.dropReferences(tx, selectReferences(id));
      await deleteLockedSession(tx, id);
      await this.#parts.signals.publishChange(tx, id);
    });
  }

  /** Ends all sessions of a sender, in the caller's transaction. Maintenance deletes them and their files. */
  async endAllOf(tx: Tx, accountId: number): Promise<void> {
    for (const id of await expireSessions(tx, accountId, this.#parts.clock.now())) {
      await this.#parts.signals.publishChange(tx, id);
    }
  }

  /** Deletes expired ONLINE sessions, in batches. */
  async deleteExpired(signal: AbortSignal): Promise<void> {
    await this.#parts.database.transactInBatches(EXPIRED_BATCH, signal, (tx, limit) =>
      deleteExpired(tx, this.#parts.clock.now(), limit),
    );
  }

  async #create(
    kind: Pick<NewSession, 'mode' | 'status' | 'offlineBytes' | 'textBytes'> & { ttlMs: number },
    { accountId, requiresToken, salt, files: announced }: Announcement,
    reserve: (tx: Tx) => Promise<void>,
  ): Promise<CreatedTransfer> {
    const { token: peerToken, hash: senderHash } = newPeerToken(this.#parts.ids);
    const files = announced.map((file) => ({ ...file, id: this.#parts.ids.uuid(), isUploaded: false }));
    const { ttlMs, ...rest } = kind;
    const draft = {
      ...rest,
      fileCount: files.length,
      id: this.#parts.ids.uuid(),
      accountId,
      senderHash,
      requiresToken,
      salt,
    };
    const session = await this.#parts.database.transact(async (tx) => {
      const now = this.#parts.clock.now();
      // A ban ends the sender's sessions. The lock keeps it from committing between the login check and this
      // insert, after which the new session would survive.
      if (accountId !== null) {
        await lockActiveAccount(tx, accountId);
        await checkRoom(tx, draft, accountId, now);
      }
      await reserve(tx);
      for (let attempt = 0; attempt < MAX_CODE_ATTEMPTS; attempt += 1) {
        const named = { ...draft, pickupCode: newPickupCode(this.#parts.ids), expiresAt: now + ttlMs };
        if (!(await insertSession(tx, named, now))) continue;
        await insertFiles(tx, draft.id, files);
        return {
          ...named,
          receiverHash: null,
          signalCount: 0,
          isOffered: false,
          isFetched: false,
          createdAt: now,
        };
      }
      throw new Failure('unavailable', 'There is no free pickup code at the moment.', {
        retryAfterSeconds: 5,
      });
    });
    return { session, files, peerToken };
  }

  /** Notifies the sender's devices if the session was offered to one of them, because the offer has ended. */
  async #notifyDevices(tx: Tx, session: TransferSession | undefined): Promise<void> {
    if (session?.isOffered !== true || session.accountId === null) return;
    await this.#parts.database.notifyOnCommit(
      tx,
      this.#parts.accounts.sessions.presence.keyOf(session.accountId),
    );
  }

  async #get(id: string): Promise<TransferSession> {
    const session = await findSession(this.#parts.database.db, id, this.#parts.clock.now());
    if (session === undefined) throw noSuchTransfer();
    return session;
  }

  async #withFiles(session: TransferSession): Promise<TransferWithFiles> {
    return { session, files: await findFiles(this.#parts.database.db, session.id) };
  }
}

/** The doctor computes the same sum from the rows, so both must change together. */
function textBytesOf(files: readonly AnnouncedFile[]): number {
  return files.reduce((sum, file) => {
    const texts = [file.name, file.encryptedName, file.relativePath, file.contentType];
    return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text ?? ''), sum + FILE_BYTES);
  }, 0);
}

/**
 * The caller must have locked the account, so that the sums stay correct until the commit.
 * @throws Failure `over-limit` if the account has too many live sessions, or too many files in them
 */
async function checkRoom(
  tx: Tx,
  { mode, textBytes }: Pick<NewSession, 'mode' | 'textBytes'>,
  accountId: number,
  now: Instant,
): Promise<void> {
  const live = await countSessions(tx, { accountId, mode, now });
  if (live.count < MAX_SESSIONS && live.textBytes + textBytes <= MAX_TEXT_BYTES) return;
  throw new Failure('over-limit', 'You have too many transfers at the same time. End one of them first.');
}
