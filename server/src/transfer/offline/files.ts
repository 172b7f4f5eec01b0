import type { Clock, Instant } from '../../base/clock.ts';
import { Failure, isRefusal } from '../../base/failure.ts';
import type { LogicalPath } from '../../base/text/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Actor, Drive, EntryWithPath, StoredFile } from '../../drive/drive.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import { findFile, findFiles, findFilesByOwner, findOfflineSessions, findSession } from '../queries.ts';
import {
  noSuchTransfer,
  type TransferFile,
  type TransferSession,
  type TransferWithFiles,
} from '../transfer-session.ts';
import {
  deleteLockedSession,
  findStoredFile,
  lockExpiredSessions,
  lockUploadingSession,
  type StoredTransferFile,
  selectReferences,
  setFileBlob,
} from './queries.ts';

const EXPIRED_BATCH = 50;
const OVER_ANNOUNCED = 'The file is larger than announced.';

/** A file that waits for its bytes. */
export interface ExpectedFile {
  readonly session: TransferSession;
  readonly file: TransferFile;
}

/** A file that is ready, and when it ends. */
export interface TransferDownload extends StoredFile {
  readonly expiresAt: Instant;
}

/** The bytes of OFFLINE sessions, which we keep until their time is over. */
export class OfflineFiles {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #drive: Drive;
  readonly #clock: Clock;

  constructor(parts: { database: Database; blobs: Blobs; drive: Drive; clock: Clock }) {
    this.#database = parts.database;
    this.#blobs = parts.blobs;
    this.#drive = parts.drive;
    this.#clock = parts.clock;
  }

  /** The owner's live sessions, the newest first. */
  async listByOwner(ownerId: number): Promise<readonly TransferWithFiles[]> {
    const { db } = this.#database;
    const now = this.#clock.now();
    const files = await findFilesByOwner(db, ownerId, now);
    const sessions = await findOfflineSessions(db, ownerId, now);
    // One that was made between the two is in the next list.
    return sessions.flatMap((session) => {
      const own = files.get(session.id);
      return own === undefined ? [] : [{ session, files: own }];
    });
  }

  /**
   * The file that the sender wants to send now, to be refused before the bytes are read.
   * @throws Failure `not-found`; `forbidden` for anybody but the sender; `rejected` for ONLINE, and once all are there
   */
  async expect(ownerId: number, sessionId: string, fileId: string): Promise<ExpectedFile> {
    const session = await this.#get(sessionId);
    if (session.mode !== 'OFFLINE') throw notOffline();
    if (session.ownerId !== ownerId) throw new Failure('forbidden', 'Only the sender may send these files.');
    const file = await findFile(this.#database.db, sessionId, fileId);
    if (file === undefined) throw noSuchFile();
    if (session.status !== 'UPLOADING') throw complete();
    return { session, file };
  }

  /** Stores bytes aside; {@link keep} or {@link discard} must follow. @throws Failure `over-limit` */
  store({ file }: ExpectedFile, source: AsyncIterable<Uint8Array>): Promise<StoredBytes> {
    return this.#blobs.write(source, { maxBytes: file.size, overLimitMessage: OVER_ANNOUNCED });
  }

  discard(bytes: StoredBytes): Promise<void> {
    return this.#blobs.discard([bytes]);
  }

  /**
   * Makes stored bytes those of the file, in place of others that it had.
   * @throws Failure `invalid` for fewer than announced; `rejected` when the session has become ready meanwhile,
   *   `not-found` when it has ended
   */
  async keep({ session, file }: ExpectedFile, bytes: StoredBytes): Promise<TransferWithFiles> {
    try {
      if (bytes.size !== file.size) {
        throw new Failure('invalid', `The file has ${bytes.size} bytes, and ${file.size} were announced.`);
      }
      const isReady = await this.#database.transact(async (tx) => {
        if (!(await lockUploadingSession(tx, session.id, this.#clock.now())))
          return await this.#explain(tx, session.id);
        const before = await findStoredFile(tx, session.id, file.id);
        const createdBy = session.ownerId ?? 0;
        const blob = { ...bytes, kind: 'TRANSFER', contentType: file.contentType, createdBy } as const;
        const isLast = await setFileBlob(tx, session.id, file.id, await this.#blobs.insert(tx, blob));
        if (before !== undefined) await this.#blobs.dropReference(tx, before.blobId);
        return isLast;
      });
      const status = isReady ? 'READY' : session.status;
      return { session: { ...session, status }, files: await findFiles(this.#database.db, session.id) };
    } catch (error) {
      if (isRefusal(error)) await this.discard(bytes);
      throw error;
    }
  }

  /** @throws Failure `not-found`; `rejected` as long as not all files are there, and for ONLINE */
  async open(sessionId: string, fileId: string): Promise<TransferDownload> {
    const { file, place, etag, session } = await this.#getReady(sessionId, fileId);
    const { name, contentType, size } = file;
    return {
      name,
      contentType,
      size,
      etag,
      place,
      modifiedAt: session.createdAt,
      expiresAt: session.expiresAt,
      findPath: () => this.#blobs.getPath(place),
      open: (range) => this.#blobs.open(place, range),
      read: (range) => this.#blobs.read(place, range),
    };
  }

  /** An address at the store that serves the file, good no longer than the session; undefined where the store has none. */
  findStoreUrl(file: TransferDownload): Promise<string | undefined> {
    return this.#drive.downloads.findStoreUrl(file, file.expiresAt);
  }

  /**
   * Makes a file of the actor's drive over the same stored object.
   * @throws Failure as `open`, and `conflict`, `over-limit`, `invalid` as a new file is refused
   */
  async import(
    actor: Actor,
    sessionId: string,
    fileId: string,
    targetPath: LogicalPath,
  ): Promise<EntryWithPath> {
    const { file, blobId } = await this.#getReady(sessionId, fileId);
    const { name, size, contentType } = file;
    return await this.#drive.fileImport.importBlob(actor, { blobId, name, size, contentType }, targetPath);
  }

  /** Ends sessions whose time is over. Their bytes go with the next sweep, but for those that were imported. */
  async deleteExpired(signal: AbortSignal): Promise<void> {
    for (let removed = EXPIRED_BATCH; removed === EXPIRED_BATCH && !signal.aborted; ) {
      removed = await this.#database.transact(async (tx) => {
        const ids = await lockExpiredSessions(tx, this.#clock.now(), EXPIRED_BATCH);
        for (const id of ids) {
          await this.#blobs.dropReferencesWithoutGrace(tx, selectReferences(id));
          await deleteLockedSession(tx, id);
        }
        return ids.length;
      });
    }
  }

  async #getReady(
    sessionId: string,
    fileId: string,
  ): Promise<StoredTransferFile & { session: TransferSession }> {
    const session = await this.#get(sessionId);
    if (session.mode !== 'OFFLINE') throw notOffline();
    if (session.status !== 'READY') throw notReady();
    const kept = await findStoredFile(this.#database.db, sessionId, fileId);
    if (kept === undefined) throw noSuchFile();
    return { ...kept, session };
  }

  async #get(id: string): Promise<TransferSession> {
    const session = await findSession(this.#database.db, id, this.#clock.now());
    if (session === undefined) throw noSuchTransfer();
    return session;
  }

  async #explain(tx: Tx, id: string): Promise<never> {
    if ((await findSession(tx, id, this.#clock.now())) === undefined) throw noSuchTransfer();
    throw complete();
  }
}

export function notReady(): Failure {
  return new Failure('rejected', 'Not all files of this transfer are there yet.');
}

function complete(): Failure {
  return new Failure('rejected', 'This transfer takes no more bytes.');
}

function notOffline(): Failure {
  return new Failure('rejected', 'The files of an ONLINE transfer go from browser to browser.');
}

function noSuchFile(): Failure {
  return new Failure('not-found', 'There is no such file in this transfer.');
}
