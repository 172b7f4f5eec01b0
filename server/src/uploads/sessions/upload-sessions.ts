import type { Clock, Instant } from '../../base/clock.ts';
import { DAY, HOUR } from '../../base/clock.ts';
import type { AccountInDrives } from '../../base/domain/drives.ts';
import type { UploadConflictRule, UploadKind, UploadMode } from '../../base/domain/uploads.ts';
import { Failure, isDefiniteFailure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import { deleteRowsOf } from '../../database/owned-rows.ts';
import type { NewFile } from '../../drive/drive.ts';
import { type Drives, type DuringDeletion, overReserved } from '../../drives/drives.ts';
import type { Policies, StoragePolicy } from '../../policies/policies.ts';
import { isObjectKey } from '../../storage/object-key.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { OpenUploads, SessionHolder, UploadDestination } from '../upload-destination.ts';
import {
  modeFor,
  noSuchUpload,
  notOpen,
  planChunks,
  planExpiry,
  statusAt,
  TERMINAL,
  type UploadSession,
} from '../upload-session.ts';
import type { SessionCleanup } from './cleanup.ts';
import {
  cancelSessionsOf,
  deleteEndedSessions,
  deleteFailedVisits,
  expireSessions,
} from './ending-queries.ts';
import { sumParts } from './part-queries.ts';
import {
  changeStatus,
  findLegacySession,
  findSession,
  insertSession,
  setConflictRule,
} from './session-queries.ts';
import {
  countOpen,
  findLinksWithOpen,
  findTransfersWithOpen,
  sumAnnounced,
  sumOpenForVisitor,
  type Visiting,
} from './unfinished-queries.ts';
import type { WriterLocks } from './writer-locks.ts';

/** How long an ended session can still be queried. */
const ENDED_RETENTION_MS = 7 * DAY;
/** How long a visitor's session that created no file can still be queried. */
const FAILED_VISIT_RETENTION_MS = HOUR;

const BATCH = 200;

const NONE_OF_VISITORS = { countOfLink: 0, placesOfLink: 0, bytesOfLink: 0, countOfAddress: 0 };

/** An announced file. A legacy upload gets its path only when it is completed. */
interface Announcement {
  readonly kind: UploadKind;
  readonly file: NewFile;
  readonly size: number;
  /** The name that the visitor of a folder link has entered. */
  readonly sender?: string | null;
  /** The `Upload-Metadata` of a tus client, which HEAD returns unchanged. */
  readonly clientMetadata?: string | undefined;
  /** FAIL by default. */
  readonly onConflict?: UploadConflictRule;
}

/** The progress of a session. Every instance reports the same. */
export interface Progress {
  readonly bytes: number;
  readonly parts: number;
}

interface UploadSessionsParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly blobs: Blobs;
  readonly policies: Policies;
  readonly writerLocks: WriterLocks;
  readonly cleanup: SessionCleanup;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly uploadSessionTtlMs: number;
}

/**
 * Creates, finds, cancels and expires upload sessions. Other classes receive their bytes and complete them.
 */
export class UploadSessions {
  readonly #parts: UploadSessionsParts;
  readonly #ttlMs: number;

  constructor(parts: UploadSessionsParts) {
    this.#parts = parts;
    this.#ttlMs = parts.uploadSessionTtlMs;
  }

  /**
   * Creates a session for an announced file. All unfinished uploads by users of the drive together must fit
   * into the quota, because their bytes occupy storage before the completion charges them. A visitor's upload
   * must also fit together with the uploads of all visitors. Visitors can't keep users from uploading, because
   * the uploads of users need not fit together with those of visitors.
   *
   * @param requiredMode overrides the mode of the policy
   * @throws Failure `over-limit`, `conflict`, `invalid`; `rejected` or `too-many` with too many open
   *   sessions; `unavailable` when the store is unreachable
   */
  async create(
    destination: UploadDestination,
    { kind, file, size, sender, clientMetadata, onConflict = 'FAIL' }: Announcement,
    requiredMode?: 'PROXY',
  ): Promise<UploadSession> {
    const { driveId, accountId, folderLinkId, transfer, visitorAddress } = destination;
    await destination.checkSize(size);
    if (kind === 'SESSION') await destination.checkCanCreate(file, onConflict);
    const policy = await this.#parts.policies.getDefault();
    const store = await this.#parts.policies.getStore(policy.id);
    await store.freeSpace?.check(size);
    const mode = requiredMode ?? chooseMode(kind, policy, store, size);
    const objectKey = this.#parts.blobs.newKey();
    const uploadId = mode === 'DIRECT_MULTIPART' ? await beginMultipart(store, objectKey) : null;
    const now = this.#parts.clock.now();
    try {
      return await this.#parts.drives.withDriveLock(destination, 0, async (tx) => {
        const freeBytes = await this.#parts.drives.reservations.getUnreservedBytes(
          tx,
          driveId,
          folderLinkId === null ? 'USER' : 'VISITOR',
        );
        const announced = await sumAnnounced(tx, driveId, now);
        const announcedBytes = folderLinkId === null ? announced.bytesOfUsers : announced.bytes;
        if (size > 0 && announcedBytes + size > freeBytes) throw overReserved();
        const open =
          folderLinkId === null
            ? { ...NONE_OF_VISITORS, ...(await countOpen(tx, destination, announced.count, now)) }
            : await this.sumOpenForVisitor(tx, { driveId, folderLinkId, visitorAddress });
        await destination.checkCanOpen(tx, size, open);
        return await insertSession(tx, {
          id: this.#parts.ids.uuid(),
          ...{ driveId, accountId },
          kind,
          mode,
          policyId: policy.id,
          objectKey,
          uploadId,
          directoryPath: kind === 'LEGACY' ? null : file.directoryPath,
          filename: kind === 'LEGACY' ? null : file.name,
          contentType: file.contentType,
          size,
          ...planChunks(size, mode),
          clientMetadata: clientMetadata ?? null,
          modifiedAt: file.modifiedAt ?? null,
          folderLinkId,
          sender: sender ?? null,
          visitorAddress,
          transferId: transfer?.id ?? null,
          transferFileId: transfer?.fileId ?? null,
          onConflict,
          createdAt: now,
          ...planExpiry(destination, now, this.#ttlMs),
        });
      });
    } catch (error) {
      if (uploadId !== null && isDefiniteFailure(error)) {
        await store.direct?.abortMultipart({ key: objectKey, id: uploadId }).catch(() => undefined);
      }
      throw error;
    }
  }

  /**
   * Counts the open uploads in a drive for the limits of visitors. The caller's transaction must have locked
   * the drive, so that the counts stay correct.
   * @param exceptReservation the reservation of the form upload that is being checked
   */
  async sumOpenForVisitor(tx: Tx, visiting: Visiting, exceptReservation?: string): Promise<OpenUploads> {
    const open = await sumOpenForVisitor(tx, visiting, this.#parts.clock.now(), exceptReservation);
    return { ...open, countOfAccount: 0 };
  }

  /**
   * Finds a session of this holder. The users of a drive do not see the sessions of visitors. Visitors see
   * only the sessions of their folder link. The sender of a transferred file sees only the sessions of that
   * file.
   * @throws Failure `not-found`
   */
  async get(
    { driveId, accountId, folderLinkId, transfer }: SessionHolder,
    id: string,
  ): Promise<UploadSession> {
    const session = await findSession(this.#parts.database.db, driveId, id.toLowerCase());
    const isOfHolder =
      session?.kind === 'SESSION' &&
      session.accountId === accountId &&
      session.folderLinkId === folderLinkId &&
      session.transferFileId === (transfer?.fileId ?? null);
    if (!isOfHolder) throw noSuchUpload();
    return session;
  }

  /**
   * Sets what the session does if its name is taken, unless it has ended.
   * @throws Failure `not-found`
   */
  async setConflictRule(holder: SessionHolder, id: string, rule: UploadConflictRule): Promise<UploadSession> {
    const session = await this.get(holder, id);
    if (session.onConflict === rule) return session;
    return (await this.#parts.database.transact((tx) => setConflictRule(tx, session, rule))) ?? session;
  }

  /** The holder's legacy upload with this storage name, unless it has ended. @throws Failure `not-found` */
  async getLegacy({ driveId, accountId }: SessionHolder, storageName: string): Promise<UploadSession> {
    // Saves the query for a text that cannot be a key.
    if (!isObjectKey(storageName)) throw noSuchUpload();
    const session = await findLegacySession(this.#parts.database.db, driveId, storageName);
    if (session?.accountId !== accountId) throw noSuchUpload();
    if (TERMINAL.includes(statusAt(session, this.#parts.clock.now()))) throw noSuchUpload();
    return session;
  }

  /** The progress of a session; undefined if it has ended. */
  async findProgress(session: UploadSession): Promise<Progress | undefined> {
    if (TERMINAL.includes(statusAt(session, this.#parts.clock.now()))) return undefined;
    if (session.mode === 'DIRECT_MULTIPART') {
      const { bytes, count } = await sumParts(this.#parts.database.db, session.id);
      return { bytes, parts: count };
    }
    const { stored, received, sentBytes } = session;
    if (stored !== null) return { bytes: stored.size, parts: 1 };
    return { bytes: Math.max(received.size, sentBytes), parts: 0 };
  }

  /**
   * Ends an unfinished session and removes its bytes.
   * @throws Failure `not-found`; `rejected` if it has already ended
   */
  async cancel(holder: SessionHolder, id: string): Promise<UploadSession> {
    const session = await this.get(holder, id);
    const now = this.#parts.clock.now();
    const cancelled = await this.#parts.database.transact((tx) =>
      changeStatus(tx, session.id, 'CANCELLED', { now, change: { writer: null } }),
    );
    if (cancelled === undefined) throw notOpen(statusAt(await this.get(holder, id), now));
    await this.#parts.writerLocks.abort(session.id, notOpen('CANCELLED'));
    await this.#parts.cleanup.remove(cancelled);
    return cancelled;
  }

  /** Ends sessions past their expiry, and deletes sessions that ended long ago. */
  async expire(signal: AbortSignal): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#endInBatches(signal, 'EXPIRED', (tx) => expireSessions(tx, now, BATCH));
    const deleteAll = async (deleteSome: typeof deleteEndedSessions, before: Instant) => {
      for (let count = BATCH; count === BATCH; ) {
        signal.throwIfAborted();
        count = await this.#parts.database.transact((tx) => deleteSome(tx, before, BATCH));
      }
    };
    await deleteAll(deleteEndedSessions, now - ENDED_RETENTION_MS);
    await deleteAll(deleteFailedVisits, now - FAILED_VISIT_RETENTION_MS);
  }

  /** Yields the folder links that have unfinished sessions, in batches. */
  async *listLinks(signal: AbortSignal): AsyncGenerator<readonly number[]> {
    for (let after = 0; ; ) {
      signal.throwIfAborted();
      const links = await findLinksWithOpen(this.#parts.database.db, after, BATCH);
      const last = links.at(-1);
      if (last === undefined) return;
      yield links;
      after = last;
    }
  }

  /** Cancels the unfinished sessions of a folder link that has ended, and removes their bytes. */
  async cancelAllOfLink(folderLinkId: number, signal: AbortSignal): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#endInBatches(signal, 'CANCELLED', (tx) => cancelSessionsOf(tx, { folderLinkId }, now, BATCH));
  }

  /** Yields the transfers that have unfinished sessions, in batches. */
  async *listTransfers(signal: AbortSignal): AsyncGenerator<readonly string[]> {
    for (let after = ''; ; ) {
      signal.throwIfAborted();
      const transfers = await findTransfersWithOpen(this.#parts.database.db, after, BATCH);
      const last = transfers.at(-1);
      if (last === undefined) return;
      yield transfers;
      after = last;
    }
  }

  /** Cancels the unfinished sessions of a transfer that has ended, and removes their bytes. */
  async cancelAllOfTransfer(transferId: string, signal: AbortSignal): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#endInBatches(signal, 'CANCELLED', (tx) => cancelSessionsOf(tx, { transferId }, now, BATCH));
  }

  /** Cancels the unfinished sessions of a shared drive that was deleted, and removes their bytes. */
  async cancelAllIn(driveId: number, duringDeletion: DuringDeletion, signal: AbortSignal): Promise<void> {
    const now = this.#parts.clock.now();
    const end = (tx: Tx) => cancelSessionsOf(tx, { driveId }, now, BATCH);
    await this.#endInBatches(signal, 'CANCELLED', end, duringDeletion);
  }

  /**
   * Cancels the unfinished sessions of an account in drives that it may no longer change, in a transaction that
   * has locked the drives. Their bytes are removed after the commit.
   */
  async cancelAllOfMember(tx: Tx, former: AccountInDrives): Promise<void> {
    const now = this.#parts.clock.now();
    const cancelled: UploadSession[] = [];
    for (let count = BATCH; count === BATCH; ) {
      const batch = await cancelSessionsOf(tx, former, now, BATCH);
      cancelled.push(...batch);
      count = batch.length;
    }
    if (cancelled.length === 0) return;
    const signal = new AbortController().signal;
    this.#parts.database.afterCommit(
      tx,
      // The sweeper removes what is left if this fails, or if the service stops before.
      () => void this.#removeEnded(signal, 'CANCELLED', cancelled).catch(() => undefined),
    );
  }

  /** Cancels the unfinished sessions of a drive that is being deleted, and deletes all its sessions. */
  async deleteAllOf(driveId: number, signal: AbortSignal): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#endInBatches(signal, 'CANCELLED', (tx) => cancelSessionsOf(tx, { driveId }, now, BATCH));
    await deleteRowsOf(this.#parts.database, 'upload_session', driveId, signal);
  }

  /**
   * @param end ends up to one batch of sessions, and returns them
   * @param transact runs one batch
   */
  async #endInBatches(
    signal: AbortSignal,
    status: 'EXPIRED' | 'CANCELLED',
    end: (tx: Tx) => Promise<readonly UploadSession[]>,
    transact: DuringDeletion = (work) => this.#parts.database.transact(work),
  ): Promise<void> {
    let isReached = true;
    for (let count = BATCH; count === BATCH; ) {
      signal.throwIfAborted();
      const ended = await transact(end);
      isReached = await this.#removeEnded(signal, status, ended, isReached);
      count = ended.length;
    }
  }

  /**
   * Aborts the writers of ended sessions on this instance, and removes the bytes of the sessions.
   * @param isReached whether the store could be reached before
   * @returns whether the store can still be reached
   */
  async #removeEnded(
    signal: AbortSignal,
    status: 'EXPIRED' | 'CANCELLED',
    ended: readonly UploadSession[],
    isReached = true,
  ): Promise<boolean> {
    let mayRemove = isReached;
    for (const session of ended) {
      await this.#parts.writerLocks.abort(session.id, notOpen(status));
      // Once the store is unreachable, leaves the rest to the sweeper, because each removal would wait for a
      // timeout.
      if (mayRemove && !signal.aborted) mayRemove = await this.#parts.cleanup.remove(session);
    }
    return mayRemove;
  }
}

/**
 * A legacy upload is a single request. It goes to the store if the store accepts that size in one request,
 * otherwise to the service.
 */
function chooseMode(kind: UploadKind, policy: StoragePolicy, store: ObjectStore, size: number): UploadMode {
  const mode = modeFor(policy);
  if (mode === 'PROXY' || store.direct === undefined) return 'PROXY';
  const { maxPutBytes } = store.direct;
  if (kind === 'LEGACY') return size <= maxPutBytes ? 'DIRECT_SINGLE' : 'PROXY';
  if (mode === 'DIRECT_SINGLE' && size > maxPutBytes) {
    throw new Failure('over-limit', `The storage takes at most ${maxPutBytes} bytes in one request.`);
  }
  return mode;
}

async function beginMultipart(store: ObjectStore, key: string): Promise<string> {
  if (store.direct === undefined) throw new Error('A store without direct transfers cannot begin one.');
  return await store.direct.beginMultipart(key);
}
