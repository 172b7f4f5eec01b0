import type { Clock } from '../../base/clock.ts';
import { Failure, isDefiniteFailure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import type { Drives } from '../../drives/drives.ts';
import type { ObjectLocation, Policies, StoredBytes } from '../../policies/policies.ts';
import { NOTHING_WRITTEN } from '../../storage/resumable-writes.ts';
import { checkMode, checkOpen, OPEN, type UploadSession } from '../upload-session.ts';
import type { SessionCleanup } from './cleanup.ts';
import { checkEnabled } from './direct-uploads.ts';
import { changeStatus, fromPoint, fromStored, type SessionChange } from './session-queries.ts';
import type { WriterLock, WriterLocks } from './writer-locks.ts';

const OVER_ANNOUNCED = 'The file is larger than announced.';

/** The columns of a session that has received nothing. */
const NOTHING_RECEIVED: SessionChange = {
  ...{ stored_key: null, stored_size: null, sha256: null, crc32: null },
  ...{ upload_id: null, ...fromPoint(NOTHING_WRITTEN) },
};

/** Writes a source to the store, under one of the session's keys. */
type Store = (source: AsyncIterable<Uint8Array>) => Promise<StoredBytes>;

interface ProxyContentParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly cleanup: SessionCleanup;
  readonly blobs: Blobs;
  readonly policies: Policies;
  readonly writerLocks: WriterLocks;
  readonly clock: Clock;
}

/**
 * Receives the whole content of a PROXY session in one request. While the session is open, new content
 * replaces the old. The first attempt writes under the session's key, each later one under a new key. So a
 * slow request can never overwrite content that a later request has stored or that has been completed.
 *
 * The session has reserved its bytes only once. While content is replaced, the new bytes are reserved like
 * those of another upload. If the quota has no room for both, the old content is removed first.
 */
export class ProxyContent {
  readonly #parts: ProxyContentParts;

  constructor(parts: ProxyContentParts) {
    this.#parts = parts;
  }

  /**
   * Checks a request before its bytes are read, and returns the size limit. @throws Failure `rejected`
   */
  async check(session: UploadSession): Promise<{ maxBytes: number; message: string }> {
    checkMode(session, 'PROXY');
    checkOpen(session, this.#parts.clock.now());
    await checkEnabled(this.#parts.policies, this.#parts.database, session.policyId);
    return { maxBytes: session.size, message: OVER_ANNOUNCED };
  }

  /**
   * Receives the content of a session.
   * @param read passes its source to `store` and returns the result; must stop when the signal aborts
   * @throws Failure `over-limit` for more bytes than announced, `invalid` for fewer; `rejected` if a newer
   *   request has replaced this one, or the session has ended meanwhile
   */
  receive(
    session: UploadSession,
    read: (store: Store, signal: AbortSignal) => Promise<StoredBytes>,
  ): Promise<UploadSession> {
    return this.#parts.writerLocks.withLock(session, (acquired) =>
      this.#withRoom(acquired, async (lock) => {
        const bytes = await read((source) => this.#store(lock, source), lock.signal);
        try {
          return await this.#record(lock, bytes);
        } catch (error) {
          if (isDefiniteFailure(error)) await this.discard(bytes);
          throw error;
        }
      }),
    );
  }

  /** Discards stored bytes. Needed for a form with an error after its file. */
  discard(place: ObjectLocation): Promise<void> {
    return this.#parts.blobs.discard([place]);
  }

  async #withRoom<T>(lock: WriterLock, work: (lock: WriterLock) => Promise<T>): Promise<T> {
    const { driveId, accountId, folderLinkId, visitorAddress, size, stored, uploadId } = lock.session;
    if (stored === null && uploadId === null) return await work(lock);
    let hasRoom = false;
    try {
      const copy = {
        user: { driveId, accountId },
        size: { minBytes: size, maxBytes: size },
        ...(folderLinkId !== null && { visit: { folderLinkId, visitorAddress } }),
      };
      return await this.#parts.drives.reservations.reserveDuring(copy, () => {
        hasRoom = true;
        return work(lock);
      });
    } catch (error) {
      if (hasRoom || !(error instanceof Failure) || error.kind !== 'over-limit') throw error;
      return await work({ ...lock, session: await this.#removeContent(lock) });
    }
  }

  /** Removes the content from the session and from the store. */
  async #removeContent(lock: WriterLock): Promise<UploadSession> {
    const emptied = await this.#change(lock, NOTHING_RECEIVED);
    await this.#parts.cleanup.removeReplaced(lock.session);
    return emptied;
  }

  #store({ session, attempt, signal, report }: WriterLock, source: AsyncIterable<Uint8Array>) {
    const objectKey = attempt === 1 ? session.objectKey : this.#parts.blobs.newKey();
    return this.#parts.blobs.write(source, {
      location: { policyId: session.policyId, objectKey },
      maxBytes: session.size,
      expectedBytes: session.size,
      overLimitMessage: OVER_ANNOUNCED,
      signal,
      ownsChunks: true,
      onProgress: report,
    });
  }

  async #record(lock: WriterLock, bytes: StoredBytes): Promise<UploadSession> {
    const { session } = lock;
    if (session.kind === 'SESSION' && bytes.size !== session.size) {
      throw new Failure('invalid', `The file has ${bytes.size} bytes, and ${session.size} were announced.`);
    }
    const moved = await this.#change(lock, { ...fromStored(bytes), upload_id: null });
    // Only the holder of the writer lock replaces content, so the lock's session still names the old content.
    if (session.stored !== null || session.uploadId !== null)
      await this.#parts.cleanup.removeReplaced(session);
    return moved;
  }

  /** @throws Failure `rejected` if another request has taken over the lock, or the session has ended */
  async #change({ session, id }: WriterLock, change: SessionChange): Promise<UploadSession> {
    const moved = await this.#parts.database.transact((tx) =>
      changeStatus(tx, session.id, 'UPLOADING', {
        now: this.#parts.clock.now(),
        change,
        writerId: id,
        from: OPEN,
      }),
    );
    if (moved !== undefined) return moved;
    throw new Failure('rejected', 'The upload has ended, or a newer request sends it now.');
  }
}
