import type { Clock } from '../../base/clock.ts';
import { Failure, isDefiniteFailure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import type { Actor } from '../../drive/drive.ts';
import type { Policies } from '../../policies/policies.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { ResumableWrite, ResumePoint } from '../../storage/resumable-writes.ts';
import type { Completion } from '../sessions/completion.ts';
import { checkEnabled } from '../sessions/direct-uploads.ts';
import { changeStatus, findSession, fromPoint, type SessionChange } from '../sessions/session-queries.ts';
import type { WriterLock, WriterLocks } from '../sessions/writer-locks.ts';
import { checkMode, checkOpen, getNewFile, OPEN, type UploadSession } from '../upload-session.ts';
import { ChecksummedBytes, type ChunkChecksum } from './chunk-checksum.ts';

/** Bytes that a client sends, and what it says of them. */
export interface UploadChunk {
  /** Where in the file they begin. */
  readonly offset: number;
  readonly source: AsyncIterable<Uint8Array>;
  readonly checksum?: ChunkChecksum | undefined;
}

/**
 * The bytes of a session in resumable, over any number of requests. What counts is the point in the session's row: it only
 * moves to what is durable in the store, and only the session's writer moves it. When the last byte is there the session
 * is completed; where that is refused the bytes stay, and every later request tries it again and answers why not.
 */
export class ResumableUploads {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #policies: Policies;
  readonly #writerLocks: WriterLocks;
  readonly #completion: Completion;
  readonly #clock: Clock;

  constructor(parts: {
    database: Database;
    blobs: Blobs;
    policies: Policies;
    writerLocks: WriterLocks;
    completion: Completion;
    clock: Clock;
  }) {
    this.#database = parts.database;
    this.#blobs = parts.blobs;
    this.#policies = parts.policies;
    this.#writerLocks = parts.writerLocks;
    this.#completion = parts.completion;
    this.#clock = parts.clock;
  }

  /**
   * Where to go on; the size for a file that is done. Whoever still sends is stopped first: what it has brought counts,
   * and the place does not move any more.
   * @throws Failure `rejected` when the session takes no resumable; as `complete` does, when all bytes are there
   */
  async getOffset(actor: Actor, session: UploadSession): Promise<number> {
    checkMode(session, 'PROXY');
    if (session.status === 'COMPLETED') return session.size;
    try {
      return await this.#run(session, async ({ session: current }) => {
        const { received, uploadId, size } = current;
        if (received.size === size && uploadId !== null) await this.#complete(actor, current);
        return received.size;
      });
    } catch (error) {
      // The one that was stopped may have been behind the last byte, and have made the file.
      const now = await findSession(this.#database.db, session.ownerId, session.id);
      if (now?.status === 'COMPLETED') return now.size;
      throw error;
    }
  }

  /**
   * Takes a piece; gives where to go on behind it. Broken off, it counts as far as it has come, unless it has a checksum.
   * @throws Failure `conflict` when the piece does not begin where the last one ended; `over-limit` when it goes beyond
   *   the size; `rejected` when the session takes no resumable, or somebody else sends now; as `complete` does, behind the
   *   last byte
   * @throws ProtocolError 460 when the checksum does not match; then nothing of the chunk was stored
   */
  append(actor: Actor, session: UploadSession, piece: UploadChunk): Promise<number> {
    return this.#run(session, async (writer) => {
      const { size } = writer.session.received;
      if (piece.offset !== size) {
        throw new Failure('conflict', `The upload goes on at ${size}, not at ${piece.offset}.`);
      }
      await checkEnabled(this.#policies, this.#database, session.policyId);
      const store = await this.#policies.getStore(session.policyId);
      const progress = new Progress(writer, await this.#begin(writer, store), store);
      // Where all bytes are there the store may have made the object of them already.
      if (size < session.size) await this.#take(progress, piece);
      if (progress.session.received.size === session.size) await this.#complete(actor, progress.session);
      return progress.session.received.size;
    });
  }

  #run(session: UploadSession, work: (writer: WriterLock) => Promise<number>): Promise<number> {
    checkMode(session, 'PROXY');
    checkOpen(session, this.#clock.now());
    return this.#writerLocks.run(
      session,
      async (writer) => {
        checkTakesPieces(writer.session);
        return await work(writer);
      },
      { isShared: true },
    );
  }

  /**
   * The first piece begins the write at the store. As with whole contents only the first attempt uses the session's own
   * key: an earlier sender of those may be slow, and store its bytes under that key when nobody waits for them any more.
   */
  async #begin(writer: WriterLock, store: ObjectStore): Promise<UploadSession> {
    const { session } = writer;
    if (session.uploadId !== null) return session;
    const key = writer.attempt === 1 ? session.objectKey : this.#blobs.newKey();
    const id = await store.resumable.begin(key);
    try {
      return await this.#change(writer, { object_key: key, upload_id: id });
    } catch (error) {
      // Should the commit have come through, the next piece needs it; if not, the sweeper takes it.
      if (isDefiniteFailure(error))
        await store.resumable.abort({ key, id, size: session.size }, session.received);
      throw error;
    }
  }

  async #take(progress: Progress, piece: UploadChunk): Promise<void> {
    if (piece.checksum === undefined) {
      await this.#append(progress, piece.source, progress.session.received, (point) =>
        this.#record(progress, point),
      );
    } else {
      await this.#takeWhole(progress, new ChecksummedBytes(piece.source, piece.checksum));
    }
  }

  /**
   * All of a piece or nothing: no point of it is recorded before all bytes have come and are right. The store is told
   * otherwise, and so lets go of the tail that the recorded point has: it gets a copy of that one.
   */
  async #takeWhole(progress: Progress, source: ChecksummedBytes): Promise<void> {
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
    try {
      await this.#record(progress, reached);
    } catch (error) {
      if (isDefiniteFailure(error)) await this.#discardTail(progress.session, reached.tailKey);
      throw error;
    }
    await this.#discardTail(progress.session, from.tailKey);
  }

  async #append(
    { writer, session, store }: Progress,
    source: AsyncIterable<Uint8Array>,
    from: ResumePoint,
    onPoint: (point: ResumePoint) => Promise<void>,
  ): Promise<void> {
    const { signal } = writer;
    const newKey = () => this.#blobs.newKey();
    await store.resumable.append(toWrite(session), from, source, { signal, newKey, onPoint });
  }

  async #record(progress: Progress, point: ResumePoint): Promise<void> {
    progress.session = await this.#change(progress.writer, fromPoint(point));
  }

  /** @throws Failure `rejected` when the writer is no longer the one who writes, or the session has ended */
  async #change({ session, id }: WriterLock, change: SessionChange): Promise<UploadSession> {
    const moved = await this.#database.transact((tx) =>
      changeStatus(tx, session.id, 'UPLOADING', {
        now: this.#clock.now(),
        change,
        writerId: id,
        from: OPEN,
      }),
    );
    if (moved !== undefined) return moved;
    throw new Failure('rejected', 'The upload has ended, or another request sends it now.');
  }

  async #copyTail(store: ObjectStore, tailKey: string | null): Promise<string | null> {
    if (tailKey === null) return null;
    const copy = this.#blobs.newKey();
    await store.copy(tailKey, copy);
    return copy;
  }

  async #discardTail({ policyId }: UploadSession, objectKey: string | null): Promise<void> {
    if (objectKey !== null) await this.#blobs.discard([{ policyId, objectKey }]);
  }

  async #complete(actor: Actor, session: UploadSession): Promise<void> {
    await this.#completion.complete(actor, session, getNewFile(session));
  }
}

/** One piece on its way: the session moves with every point. */
class Progress {
  readonly writer: WriterLock;
  session: UploadSession;
  readonly store: ObjectStore;

  constructor(writer: WriterLock, session: UploadSession, store: ObjectStore) {
    this.writer = writer;
    this.session = session;
    this.store = store;
  }
}

function toWrite({ objectKey: key, uploadId: id, size }: UploadSession): ResumableWrite {
  if (id === null) throw new Error(`The write of ${key} has not begun.`);
  return { key, id, size };
}

/** Whole contents that have come otherwise are not added to. */
function checkTakesPieces({ stored, uploadId, objectKey }: UploadSession): void {
  if (stored === null || (uploadId !== null && stored.objectKey === objectKey)) return;
  throw new Failure('rejected', 'The bytes of this upload have come as a whole. It can be completed.');
}
