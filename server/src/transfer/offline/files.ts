import { type Clock, DAY, type Instant } from '../../base/clock.ts';
import { Failure, isDefiniteFailure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Actor, Drive, EntryWithPath, ImportTarget, StoredFile } from '../../drive/drive.ts';
import type { Drives } from '../../drives/drives.ts';
import type { DownloadClient } from '../../http/download/download-client.ts';
import type { DownloadableStream } from '../../http/download/file-download.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import {
  findFile,
  findFiles,
  findFilesOf,
  findOfflineSessions,
  findSession,
  type SummedSession,
} from '../queries.ts';
import {
  noSuchTransfer,
  type TransferFile,
  type TransferSession,
  type TransferWithFiles,
} from '../transfer-session.ts';
import { toArchivePaths } from './archive-paths.ts';
import {
  deleteLockedSession,
  findStoredContents,
  findStoredFile,
  lockExpiredSessions,
  lockUploadingSession,
  lockUploadingSessions,
  type StoredTransferFile,
  selectReferences,
  selectWithoutBytes,
  setFileBlob,
} from './queries.ts';

const EXPIRED_BATCH = 50;

/** A session ends if nothing has been uploaded to it for this long. */
const ABANDONED_MS = DAY;

/** The maximum number of files in the list of an account's transfers, and the maximum size of their texts. */
const MAX_LISTED_FILES = 2_000;
const MAX_LISTED_BYTES = 2 * 1_024 * 1_024;

/** The file name of an archive, without its extension. */
const ARCHIVE_NAME = 'Transfer';

const OVER_ANNOUNCED = 'The file is larger than announced.';

/** A file that the sender is expected to upload. */
export interface ExpectedFile {
  readonly session: TransferSession;
  readonly file: TransferFile;
}

/** A transfer in its sender's list. */
export interface OwnTransfer extends SummedSession {
  readonly files: readonly TransferFile[];
}

/** A file ready to download, and when its session expires. */
interface TransferDownload extends StoredFile {
  readonly expiresAt: Instant;
  /** Whether it is already known that a receiver has it. */
  readonly isFetched: boolean;
}

interface OfflineFilesParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly blobs: Blobs;
  readonly drive: Drive;
  readonly clock: Clock;
}

/**
 * The files of OFFLINE sessions: stores them, sends them, imports them into drives, and deletes them on
 * expiry.
 */
export class OfflineFiles {
  readonly #parts: OfflineFilesParts;

  constructor(parts: OfflineFilesParts) {
    this.#parts = parts;
  }

  /**
   * Lists the owner's live sessions, newest first. Files are included until they exceed 2,000 or 2 MiB in
   * total; later sessions are listed without files.
   */
  async listByOwner(accountId: number): Promise<readonly OwnTransfer[]> {
    const { db } = this.#parts.database;
    const own = await findOfflineSessions(db, accountId, this.#parts.clock.now());
    let bytes = 0;
    let count = 0;
    const listed = own.filter((summed) => {
      bytes += summed.textBytes;
      count += summed.fileCount;
      return bytes <= MAX_LISTED_BYTES && count <= MAX_LISTED_FILES;
    });
    const files = await findFilesOf(
      db,
      listed.map(({ session }) => session.id),
    );
    return own.map((summed) => ({ ...summed, files: files.get(summed.session.id) ?? [] }));
  }

  /**
   * Checks that the sender may upload this file, before any bytes are read.
   * @throws Failure as {@link getOwn}; `rejected` once all files are uploaded
   */
  async getExpected(accountId: number, sessionId: string, fileId: string): Promise<ExpectedFile> {
    const expected = await this.getOwn(accountId, sessionId, fileId);
    if (expected.session.status !== 'UPLOADING') throw alreadyComplete();
    return expected;
  }

  /**
   * A file of the sender, uploaded or not.
   * @throws Failure `not-found`; `forbidden` unless the caller is the sender; `rejected` for an ONLINE
   * session
   */
  async getOwn(accountId: number, sessionId: string, fileId: string): Promise<ExpectedFile> {
    const session = await this.#get(sessionId);
    if (session.mode !== 'OFFLINE') throw notOffline();
    if (session.accountId !== accountId)
      throw new Failure('forbidden', 'Only the sender may send these files.');
    const file = await findFile(this.#parts.database.db, sessionId, fileId);
    if (file === undefined) throw noSuchFile();
    return { session, file };
  }

  /**
   * Reserves the bytes of a file in the sender's drive while `work` runs. Once the bytes have arrived, they
   * count only against the session's share of the offline storage.
   * @throws Failure `over-limit` if they do not fit; `work` is not called then
   */
  reserveDuring<T>(
    { session, file: { size } }: ExpectedFile,
    driveId: number,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.#parts.drives.reservations.reserveDuring(
      {
        user: { driveId, accountId: session.accountId },
        transferId: session.id,
        size: { minBytes: size, maxBytes: size },
      },
      work,
    );
  }

  /**
   * Writes bytes to storage. The store owns the source's chunks. Call {@link attach} or {@link discard} next.
   * @throws Failure `over-limit`
   */
  store({ file }: ExpectedFile, source: AsyncIterable<Uint8Array>): Promise<StoredBytes> {
    const { size } = file;
    return this.#parts.blobs.write(source, {
      maxBytes: size,
      expectedBytes: size,
      overLimitMessage: OVER_ANNOUNCED,
      ownsChunks: true,
    });
  }

  discard(bytes: StoredBytes): Promise<void> {
    return this.#parts.blobs.discard([bytes]);
  }

  /**
   * Attaches stored bytes to the file, replacing earlier ones. If that fails, the bytes are discarded.
   * @throws Failure `invalid` for fewer bytes than announced; `rejected` when the session has become ready
   *   meanwhile; `not-found` when it has ended
   */
  async attach(expected: ExpectedFile, bytes: StoredBytes): Promise<TransferWithFiles> {
    const { session } = expected;
    try {
      const isReady = await this.#parts.database.transact((tx) => this.insert(tx, expected, bytes));
      const status = isReady ? 'READY' : session.status;
      return { session: { ...session, status }, files: await findFiles(this.#parts.database.db, session.id) };
    } catch (error) {
      if (isDefiniteFailure(error)) await this.discard(bytes);
      throw error;
    }
  }

  /**
   * Like {@link attach}, in the caller's transaction. If it fails, the caller must discard the bytes.
   * @returns whether the session is READY now
   */
  async insert(tx: Tx, { session, file }: ExpectedFile, bytes: StoredBytes): Promise<boolean> {
    if (bytes.size !== file.size) {
      throw new Failure('invalid', `The file has ${bytes.size} bytes, and ${file.size} were announced.`);
    }
    await this.lockUploading(tx, session.id);
    const before = await findStoredFile(tx, session.id, file.id);
    const createdBy = session.accountId;
    const blob = { ...bytes, kind: 'TRANSFER', contentType: file.contentType, createdBy } as const;
    const isLast = await setFileBlob(tx, session.id, file.id, await this.#parts.blobs.insert(tx, blob));
    if (before !== undefined) await this.#parts.blobs.dropReference(tx, before.blobId);
    return isLast;
  }

  /** @throws Failure `not-found` if the session has ended; `rejected` if it already has all of its files */
  async lockUploading(tx: Tx, sessionId: string): Promise<void> {
    if (await lockUploadingSession(tx, sessionId, this.#parts.clock.now())) return;
    throw await this.#findRefusal(tx, sessionId);
  }

  /**
   * @throws Failure `not-found`; `rejected` while files of the session are missing, and for an ONLINE session
   */
  async open(sessionId: string, fileId: string): Promise<TransferDownload> {
    const { file, location, etag, session, isFetched } = await this.#getReady(sessionId, fileId);
    const { name, contentType, size } = file;
    return {
      name,
      contentType,
      size,
      etag,
      location,
      modifiedAt: session.createdAt,
      expiresAt: session.expiresAt,
      isFetched: isFetched || session.isFetched,
      findDiskPath: () => this.#parts.blobs.findDiskPath(location),
      open: (range) => this.#parts.blobs.open(location, range),
      read: (range) => this.#parts.blobs.read(location, range),
    };
  }

  /**
   * All files as one archive, which is generated while it is sent.
   * @throws Failure as {@link open}; `rejected` for an encrypted transfer, because the receiver must decrypt
   *   each file; `too-many` as for any archive
   */
  async openAll(sessionId: string, client: DownloadClient): Promise<DownloadableStream> {
    const session = await this.#getReadySession(sessionId);
    if (session.salt !== null) throw isEncrypted();
    const contents = await findStoredContents(this.#parts.database.db, sessionId);
    const paths = toArchivePaths(contents);
    const files = contents.map(({ blobId, size, crc32 }, index) => ({
      ...{ path: paths[index] ?? '', blobId, size, crc32 },
      modifiedAt: session.createdAt,
    }));
    return await this.#parts.drive.downloads.openFiles(files, ARCHIVE_NAME, client);
  }

  /**
   * A signed URL of the store. It expires with the session at the latest. Undefined if the store does not
   * support URLs.
   */
  findStoreUrl(file: TransferDownload): Promise<string | undefined> {
    return this.#parts.drive.downloads.findStoreUrl(file, file.expiresAt);
  }

  /**
   * Creates a file in the actor's drive that shares the stored object.
   * @throws Failure as `open`; `rejected` for an encrypted file, which only the receiver can decrypt; as for
   * any new file: `conflict`, `over-limit`, `invalid`
   */
  async import(
    actor: Actor,
    sessionId: string,
    fileId: string,
    target: ImportTarget,
  ): Promise<EntryWithPath> {
    const { file, blobId, session } = await this.#getReady(sessionId, fileId);
    if (session.salt !== null) throw isEncrypted();
    const { name, size, contentType } = file;
    return await this.#parts.drive.fileImport.importBlob(actor, { blobId, name, size, contentType }, target);
  }

  /**
   * Deletes expired OFFLINE sessions, in batches. The next sweep removes their bytes, except those of
   * imported files.
   */
  async deleteExpired(signal: AbortSignal): Promise<void> {
    await this.#parts.database.transactInBatches(EXPIRED_BATCH, signal, async (tx, limit) => {
      const ids = await lockExpiredSessions(tx, this.#parts.clock.now(), limit);
      for (const id of ids) {
        await this.#parts.blobs.dropReferencesWithoutGrace(tx, selectReferences(id));
        await deleteLockedSession(tx, id);
      }
      return ids.length;
    });
  }

  /**
   * Deletes sessions whose sender has uploaded no file within a day, in batches. So others can use the
   * storage that was reserved for nothing.
   */
  async deleteAbandoned(signal: AbortSignal): Promise<void> {
    const now = this.#parts.clock.now();
    const page = { before: now - ABANDONED_MS, limit: EXPIRED_BATCH };
    for (let afterId: string | undefined = ''; afterId !== undefined && !signal.aborted; ) {
      const start: string = afterId;
      afterId = await this.#parts.database.transact(async (tx) => {
        const locked = await lockUploadingSessions(tx, { ...page, afterId: start });
        for (const id of await selectWithoutBytes(tx, locked, now)) await deleteLockedSession(tx, id);
        return locked.length === EXPIRED_BATCH ? locked.at(-1) : undefined;
      });
    }
  }

  async #getReady(
    sessionId: string,
    fileId: string,
  ): Promise<StoredTransferFile & { session: TransferSession }> {
    const session = await this.#getReadySession(sessionId);
    const stored = await findStoredFile(this.#parts.database.db, sessionId, fileId);
    if (stored === undefined) throw noSuchFile();
    return { ...stored, session };
  }

  async #getReadySession(id: string): Promise<TransferSession> {
    const session = await this.#get(id);
    if (session.mode !== 'OFFLINE') throw notOffline();
    if (session.status !== 'READY') throw notReady();
    return session;
  }

  async #get(id: string): Promise<TransferSession> {
    const session = await findSession(this.#parts.database.db, id, this.#parts.clock.now());
    if (session === undefined) throw noSuchTransfer();
    return session;
  }

  async #findRefusal(tx: Tx, id: string): Promise<Failure> {
    const session = await findSession(tx, id, this.#parts.clock.now());
    return session === undefined ? noSuchTransfer() : alreadyComplete();
  }
}

export function notReady(): Failure {
  return new Failure('rejected', 'Not all files of this transfer have been uploaded yet.');
}

function alreadyComplete(): Failure {
  return new Failure('rejected', 'All files of this transfer have been uploaded already.');
}

function notOffline(): Failure {
  return new Failure('rejected', 'The files of an ONLINE transfer go from browser to browser.');
}

function isEncrypted(): Failure {
  return new Failure(
    'rejected',
    'This file is encrypted. Only the page of the receiver can decrypt it and upload it to the drive.',
  );
}

function noSuchFile(): Failure {
  return new Failure('not-found', 'There is no such file in this transfer.');
}
