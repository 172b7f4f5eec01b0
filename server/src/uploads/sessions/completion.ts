import type { Clock } from '../../base/clock.ts';
import type { UploadStatus } from '../../base/domain/uploads.ts';
import { Failure, isDefiniteFailure } from '../../base/failure.ts';
import type { Database, Db } from '../../database/database.ts';
import type { EntryWithPath, NewFile } from '../../drive/drive.ts';
import type { Drives } from '../../drives/drives.ts';
import type { Leases } from '../../leases/leases.ts';
import type { Policies, StoredBytes } from '../../policies/policies.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { UploadDestination } from '../upload-destination.ts';
import {
  lengthOfChunk,
  noSuchUpload,
  notOpen,
  OPEN,
  statusAt,
  TERMINAL,
  type UploadSession,
} from '../upload-session.ts';
import type { SessionCleanup } from './cleanup.ts';
import { CompletionLock } from './completion-lock.ts';
import { checkEnabled, multipartOf } from './direct-uploads.ts';
import { findParts } from './part-queries.ts';
import { changeStatus, findSession, fromStored, setEntry } from './session-queries.ts';

/** The terminal statuses of sessions that created no file. */
const WITHOUT_FILE: readonly UploadStatus[] = TERMINAL.filter((status) => status !== 'COMPLETED');

interface Completed {
  readonly session: UploadSession;
  /** The new file in the drive; null for a file of a transfer; undefined if an earlier call created it. */
  readonly added: EntryWithPath | null | undefined;
}

interface Finished {
  readonly completed: UploadSession;
  readonly added: EntryWithPath | null | undefined;
}

interface CompletionParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly cleanup: SessionCleanup;
  readonly policies: Policies;
  readonly clock: Clock;
  readonly leases: Leases;
  /** Called after creating a file whose checksum is not known yet. */
  readonly onUnchecked: () => void;
}

/**
 * Turns a session into a file, in three steps. Each step is idempotent, so after a crash at any point any
 * instance may repeat the completion:
 *
 * 1. The store makes one object of the received bytes.
 * 2. The session records that object as its bytes. From then on they cannot change.
 * 3. One transaction ends the session, charges the quota and creates the entry. It uses the bytes that the
 *    session's row names at that moment. So exactly one of several concurrent completions creates the file,
 *    and it uses the last bytes.
 *
 * No step reads the bytes, so completing a terabyte costs no more than completing a byte.
 */
export class Completion {
  readonly #parts: CompletionParts;
  readonly #completionLock: CompletionLock;

  constructor(parts: CompletionParts) {
    this.#parts = parts;
    this.#completionLock = new CompletionLock(parts.leases);
  }

  /**
   * Completes the session. If that fails, the session stays open.
   * @throws Failure `rejected` when bytes are missing, or the session is not open; `conflict`, `over-limit`,
   *   `invalid`, `unavailable`
   */
  async complete(destination: UploadDestination, session: UploadSession, file: NewFile): Promise<Completed> {
    if (TERMINAL.includes(statusAt(session, this.#parts.clock.now()))) {
      return { session: this.#answerEnded(await this.#readDurable(session)), added: undefined };
    }
    await checkEnabled(this.#parts.policies, this.#parts.database, session.policyId);
    // If the object is already complete, only the last step remains, which needs no lock.
    const { completed, added } =
      session.stored === null
        ? await this.#completionLock.withLock(session.id, async () =>
            this.#finish(destination, await this.#read(session, this.#parts.database.db), file),
          )
        : await this.#finish(destination, session, file);
    if (added === undefined) return { session: completed, added };
    const { stored } = completed;
    await this.#parts.cleanup.remove(completed, stored?.objectKey);
    if (stored?.sha256 === null) this.#parts.onUnchecked();
    return { session: completed, added };
  }

  async #finish(destination: UploadDestination, session: UploadSession, file: NewFile): Promise<Finished> {
    if (TERMINAL.includes(session.status)) return { completed: this.#answerEnded(session), added: undefined };
    try {
      // Fails early, before the store joins anything. The transaction at the end checks it again.
      await destination.checkCanCreate(file, session.onConflict);
      const { size } = session.stored ?? (await this.#assemble(session));
      await destination.checkCanComplete(size, session.policyId);
      return await this.#record(destination, session, file);
    } catch (error) {
      // A concurrent completion of the same session may have succeeded meanwhile, and so caused the error.
      const now = await this.#readDurable(session);
      if (now.status === 'COMPLETED' && (now.kind === 'SESSION' || isDefiniteFailure(error))) {
        return { completed: this.#answerEnded(now), added: undefined };
      }
      // Another request has sent the whole content, which replaced the bytes of this completion.
      if (now.uploadId !== session.uploadId && now.stored !== null && OPEN.includes(now.status)) {
        return await this.#finish(destination, now, file);
      }
      // Another request has ended the session meanwhile. It could not remove the object, which did not exist
      // yet.
      if (WITHOUT_FILE.includes(now.status)) await this.#parts.cleanup.remove(now);
      // Reopens the session: its bytes are still there.
      await this.#parts.database.transact((tx) =>
        changeStatus(tx, session.id, 'UPLOADING', { now: this.#parts.clock.now(), from: ['COMPLETING'] }),
      );
      throw error;
    }
  }

  /** Steps 1 and 2: makes one object from the bytes, and records it in the session. */
  async #assemble(session: UploadSession): Promise<StoredBytes> {
    const store = await this.#parts.policies.getStore(session.policyId);
    switch (session.mode) {
      case 'DIRECT_MULTIPART':
        return await this.#join(session, store);
      case 'DIRECT_SINGLE':
        return await this.#recordFound(session, store);
      case 'PROXY':
        return await this.#finishWrite(session, store);
    }
  }

  async #join(session: UploadSession, store: ObjectStore): Promise<StoredBytes> {
    const upload = multipartOf(session);
    const recorded = await findParts(this.#parts.database.db, session.id);
    checkComplete(session, recorded);
    const parts = recorded.map(({ index, etag }) => ({ number: index + 1, etag }));
    if (store.direct === undefined) throw new Error('The store takes no direct uploads.');
    await this.#move(session, 'COMPLETING');
    await store.direct.completeMultipart(upload, parts);
    return await this.#recordFound(session, store);
  }

  async #finishWrite(session: UploadSession, store: ObjectStore): Promise<StoredBytes> {
    const { received, uploadId: id, objectKey: key, size } = session;
    if (id === null || received.size < size) {
      throw new Failure('rejected', 'The bytes of this upload have not arrived yet.');
    }
    await store.resumable.finish({ key, id, size }, received);
    return await this.#keep(session, size);
  }

  /** Records the object that the client has uploaded to the store under the session's key. */
  async #recordFound(session: UploadSession, store: ObjectStore): Promise<StoredBytes> {
    const found = await store.find(session.objectKey);
    if (found === undefined) throw new Failure('rejected', 'The bytes of this upload have not arrived yet.');
    const isRight = session.kind === 'LEGACY' ? found.size <= session.size : found.size === session.size;
    if (isRight) return await this.#keep(session, found.size);
    // Possible if the store does not enforce the signed size. The session's end is committed before the
    // object is removed.
    const failed = await this.#move(session, 'FAILED');
    if (failed !== undefined) await this.#parts.cleanup.remove(failed);
    throw new Failure('rejected', `The store has ${found.size} bytes, and ${session.size} were announced.`);
  }

  async #keep(session: UploadSession, size: number): Promise<StoredBytes> {
    const { policyId, objectKey } = session;
    const bytes = { policyId, objectKey, size, sha256: null, crc32: null };
    await this.#move(session, session.mode === 'DIRECT_MULTIPART' ? 'COMPLETING' : 'UPLOADING', bytes);
    return bytes;
  }

  /** Returns undefined if the session has ended meanwhile; the last step reports that. */
  #move(session: UploadSession, to: UploadStatus, bytes?: StoredBytes): Promise<UploadSession | undefined> {
    const change = bytes === undefined ? {} : fromStored(bytes);
    return this.#parts.database.transact((tx) =>
      changeStatus(tx, session.id, to, { now: this.#parts.clock.now(), change }),
    );
  }

  async #record(destination: UploadDestination, session: UploadSession, file: NewFile) {
    return this.#parts.drives.withDriveLock(destination, 0, async (tx) => {
      const now = this.#parts.clock.now();
      const moved = await changeStatus(tx, session.id, 'COMPLETED', { now, change: { writer: null } });
      if (moved === undefined) {
        return { completed: this.#answerEnded(await this.#read(session, tx)), added: undefined };
      }
      if (moved.stored === null)
        throw new Failure('rejected', 'The bytes of this upload have not arrived yet.');
      const added = await destination.addFile(tx, moved.stored, file, moved);
      const completed = added === null ? moved : await setEntry(tx, session.id, added.entry.id);
      return { completed, added };
    });
  }

  /**
   * Reads the current session, and waits until it is durable, so that the caller may acknowledge it. A commit
   * can be visible before it is durable, even this completion's own commit if only its flush failed.
   */
  #readDurable(session: UploadSession): Promise<UploadSession> {
    return this.#parts.database.readDurable((db) => this.#read(session, db));
  }

  /** The current session. @throws Failure `not-found` */
  async #read({ driveId, id }: UploadSession, db: Db): Promise<UploadSession> {
    const session = await findSession(db, driveId, id);
    if (session === undefined) throw noSuchUpload();
    return session;
  }

  /**
   * The answer for a session that has ended. A legacy key works once; other sessions give the same answer
   * again.
   */
  #answerEnded(session: UploadSession): UploadSession {
    if (session.kind === 'LEGACY') throw noSuchUpload();
    if (session.status !== 'COMPLETED') throw notOpen(statusAt(session, this.#parts.clock.now()));
    return session;
  }
}

/** @throws Failure `rejected`, which names the first missing part */
function checkComplete(session: UploadSession, parts: readonly { index: number; size: number }[]): void {
  for (let index = 0; index < session.chunkCount; index += 1) {
    if (parts[index]?.index === index && parts[index]?.size === lengthOfChunk(session, index)) continue;
    throw new Failure('rejected', `The part ${index} of ${session.chunkCount} has not been recorded.`);
  }
}
