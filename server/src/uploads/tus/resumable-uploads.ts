import type { Clock } from '../../base/clock.ts';
import { Failure, isDefiniteFailure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import type { Policies } from '../../policies/policies.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { ResumableWrite, ResumePoint } from '../../storage/resumable-writes.ts';
import type { Completion } from '../sessions/completion.ts';
import { checkEnabled } from '../sessions/direct-uploads.ts';
import { changeStatus, findSession, fromPoint, type SessionChange } from '../sessions/session-queries.ts';
import type { WriterLock, WriterLocks } from '../sessions/writer-locks.ts';
import type { UploadDestination } from '../upload-destination.ts';
import {
  checkMode,
  checkOpen,
  expiryAfterProgress,
  getNewFile,
  OPEN,
  type UploadSession,
} from '../upload-session.ts';
import { ChecksummedBytes, type ChunkChecksum } from './chunk-checksum.ts';

/** The bytes of one request. */
interface UploadChunk {
  /** Their position in the file. */
  readonly offset: number;
  readonly source: AsyncIterable<Uint8Array>;
  readonly checksum?: ChunkChecksum | undefined;
}

interface ResumableUploadsParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly policies: Policies;
  readonly writerLocks: WriterLocks;
  readonly completion: Completion;
  readonly clock: Clock;
}

/**
 * Receives the bytes of a PROXY session over any number of requests. The session's row records the resume
 * point: the bytes that are durable in the store. Only the holder of the writer lock advances it. The last
 * byte completes the session. If the completion fails, the bytes stay. Every later request then retries it
 * and reports the reason.
 */
export class ResumableUploads {
  readonly #parts: ResumableUploadsParts;

  constructor(parts: ResumableUploadsParts) {
    this.#parts = parts;
  }

  /**
   * Gets the offset of the next byte; for a completed session its size. Aborts a request that is still
   * sending, so that the offset no longer changes. The bytes that it has already sent count.
   * @throws Failure `rejected` if the session accepts no chunks; once all bytes have arrived, as `complete`
   *   does
   */
  async getOffset(destination: UploadDestination, session: UploadSession): Promise<number> {
    checkMode(session, 'PROXY');
    if (session.status === 'COMPLETED') return session.size;
    try {
      return await this.#run(session, async ({ session: current }) => {
        const { received, uploadId, size } = current;
        if (received.size === size && uploadId !== null) await this.#complete(destination, current);
        return received.size;
      });
    } catch (error) {
      // The aborted request may have sent the last byte and completed the session.
      const now = await findSession(this.#parts.database.db, session.driveId, session.id);
      if (now?.status === 'COMPLETED') return now.size;
      throw error;
    }
  }

  /**
   * Appends a chunk. If the request is interrupted, the bytes received so far count, unless the chunk has a
   * checksum.
   * @returns the offset after the chunk
   * @throws Failure `conflict` if the chunk does not begin at the current offset; `over-limit` if it exceeds
   *   the size; `rejected` if the session accepts no chunks, or a newer request has replaced this one; after
   *   the last byte as `complete` does
   * @throws ProtocolError 460 if the checksum does not match; nothing of the chunk is stored then
   */
  append(destination: UploadDestination, session: UploadSession, chunk: UploadChunk): Promise<number> {
    return this.#run(session, async (lock) => {
      const { size } = lock.session.received;
      if (chunk.offset !== size) {
        throw new Failure('conflict', `The upload continues at ${size}, not at ${chunk.offset}.`);
      }
      await checkEnabled(this.#parts.policies, this.#parts.database, session.policyId);
      const store = await this.#parts.policies.getStore(session.policyId);
      const progress = new Progress(lock, await this.#begin(lock, store), store);
      // Skipped once all bytes have arrived: the store may already have finished the write.
      if (size < session.size) await this.#store(progress, chunk);
      if (progress.session.received.size === session.size)
        await this.#complete(destination, progress.session);
      return progress.session.received.size;
    });
  }

  #run(session: UploadSession, work: (lock: WriterLock) => Promise<number>): Promise<number> {
    checkMode(session, 'PROXY');
    checkOpen(session, this.#parts.clock.now());
    return this.#parts.writerLocks.withLock(
      session,
      async (lock) => {
        checkAcceptsChunks(lock.session);
        return await work(lock);
      },
      { abortsWhenExpired: true },
    );
  }

  /**
   * Begins the write at the store with the first chunk. Only the first attempt uses the session's own key.
   * Before a later attempt, a slow request with the whole content may still be storing its bytes under that
   * key.
   */
  async #begin(lock: WriterLock, store: ObjectStore): Promise<UploadSession> {
    const { session } = lock;
    if (session.uploadId !== null) return session;
    const key = lock.attempt === 1 ? session.objectKey : this.#parts.blobs.newKey();
    const id = await store.resumable.begin(key);
    try {
      return await this.#change(lock, { object_key: key, upload_id: id });
    } catch (error) {
      // If the outcome of the commit is unknown, the next chunk may need the write; otherwise the sweeper
      // removes it.
      if (isDefiniteFailure(error)) {
        await store.resumable.abort({ key, id, size: session.size }, session.received);
      }
      throw error;
    }
  }

  async #store(progress: Progress, chunk: UploadChunk): Promise<void> {
    if (chunk.checksum === undefined) {
      await this.#append(progress, chunk.source, progress.session.received, (point) =>
        this.#record(progress, point),
      );
    } else {
      await this.#storeWhole(progress, new ChecksummedBytes(chunk.source, chunk.checksum));
    }
  }

  /**
   * Stores a chunk completely or not at all: records the resume point only after all bytes have arrived and
   * match the checksum. The store removes the tail of each earlier resume point, so it gets a copy of the
   * recorded tail.
   */
  async #storeWhole(progress: Progress, source: ChecksummedBytes): Promise<void> {
    const from = progress.session.received;
    const start = { ...from, tailKey: await this.#copyTail(progress.store, from.tailKey) };
    let reached = start;
    try {
      await this.#append(progress, source, start, async (point) => {
        reached = point;
      });
      source.check();
    } catch (error) {
      await this.#discardTail(progress.session, reached.tailKey);
      throw error;
    }
    if (reached === start) return await this.#discardTail(progress.session, start.tailKey);
    await this.#record(progress, reached);
    await this.#discardTail(progress.session, from.tailKey);
  }

  async #append(
    { lock, session, store }: Progress,
    source: AsyncIterable<Uint8Array>,
    from: ResumePoint,
    onPoint: (point: ResumePoint) => Promise<void>,
  ): Promise<void> {
    const { signal } = lock;
    const newKey = () => this.#parts.blobs.newKey();
    const admitted = await store.freeSpace?.admit(session.size - from.size);
    try {
      await store.resumable.append(toWrite(session), from, countBytes(source, from.size, lock.report), {
        signal,
        ownsChunks: true,
        newKey,
        onPoint: async (point) => {
          await onPoint(point);
          admitted?.receive(point.size - from.size);
        },
      });
    } finally {
      admitted?.end();
    }
  }

  /** Records a point. If that is rejected, its tail is removed: a session that has ended does not name it. */
  async #record(progress: Progress, point: ResumePoint): Promise<void> {
    const { session } = progress;
    const hasMore = point.size > session.received.size;
    const expiry = hasMore && { expires_at: expiryAfterProgress(session, this.#parts.clock.now()) };
    try {
      progress.session = await this.#change(progress.lock, { ...fromPoint(point), ...expiry });
    } catch (error) {
      if (isDefiniteFailure(error)) await this.#discardTail(session, point.tailKey);
      throw error;
    }
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
    throw await this.#parts.writerLocks.findRefusal(session);
  }

  async #copyTail(store: ObjectStore, tailKey: string | null): Promise<string | null> {
    if (tailKey === null) return null;
    const copy = this.#parts.blobs.newKey();
    await store.copy(tailKey, copy);
    return copy;
  }

  async #discardTail({ policyId }: UploadSession, objectKey: string | null): Promise<void> {
    if (objectKey !== null) await this.#parts.blobs.discard([{ policyId, objectKey }]);
  }

  async #complete(destination: UploadDestination, session: UploadSession): Promise<void> {
    await this.#parts.completion.complete(destination, session, getNewFile(session));
  }
}

/** The state of one appending request. Its session changes with every recorded resume point. */
class Progress {
  readonly lock: WriterLock;
  session: UploadSession;
  readonly store: ObjectStore;

  constructor(lock: WriterLock, session: UploadSession, store: ObjectStore) {
    this.lock = lock;
    this.session = session;
    this.store = store;
  }
}

/** @param report called before each chunk, with the number of bytes of the file so far */
async function* countBytes(
  source: AsyncIterable<Uint8Array>,
  from: number,
  report: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = from;
  for await (const chunk of source) {
    bytes += chunk.length;
    report(bytes);
    yield chunk;
  }
}

function toWrite({ objectKey: key, uploadId: id, size }: UploadSession): ResumableWrite {
  if (id === null) throw new Error(`The write of ${key} has not begun.`);
  return { key, id, size };
}

/** @throws Failure `rejected` if the whole content was sent in one request */
function checkAcceptsChunks({ stored, uploadId, objectKey }: UploadSession): void {
  if (stored === null || (uploadId !== null && stored.objectKey === objectKey)) return;
  throw new Failure(
    'rejected',
    'The whole content of this upload has been sent already. It can be completed.',
  );
}
