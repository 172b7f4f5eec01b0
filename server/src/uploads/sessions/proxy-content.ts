import type { Clock } from '../../base/clock.ts';
import { Failure, isDefiniteFailure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import type { ObjectLocation, Policies, StoredBytes } from '../../policies/policies.ts';
import { checkMode, checkOpen, OPEN, type UploadSession } from '../upload-session.ts';
import { checkEnabled } from './direct-uploads.ts';
import { changeStatus, fromStored } from './session-queries.ts';
import type { WriterLock, WriterLocks } from './writer-locks.ts';

const OVER_ANNOUNCED = 'The file is larger than announced.';

/** Writes a source to the store, under a key of the session. */
type Store = (source: AsyncIterable<Uint8Array>) => Promise<StoredBytes>;

/**
 * Receives the whole content of a PROXY session in one request. While the session is open, new content
 * replaces the old. The first attempt writes under the session's key, each later one under a new key, so a
 * slow request can never overwrite what a later one has stored, or what has been completed.
 */
export class ProxyContent {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #policies: Policies;
  readonly #writerLocks: WriterLocks;
  readonly #clock: Clock;

  constructor(parts: {
    database: Database;
    blobs: Blobs;
    policies: Policies;
    writerLocks: WriterLocks;
    clock: Clock;
  }) {
    this.#database = parts.database;
    this.#blobs = parts.blobs;
    this.#policies = parts.policies;
    this.#writerLocks = parts.writerLocks;
    this.#clock = parts.clock;
  }

  /** Checks a request before its bytes are read, and gives the limit for them. @throws Failure `rejected` */
  async check(session: UploadSession): Promise<{ maxBytes: number; message: string }> {
    checkMode(session, 'PROXY');
    checkOpen(session, this.#clock.now());
    await checkEnabled(this.#policies, this.#database, session.policyId);
    return { maxBytes: session.size, message: OVER_ANNOUNCED };
  }

  /**
   * Receives the content of a session.
   * @param read passes its source to `store` and returns the result; must stop when the signal is aborted
   * @throws Failure `over-limit` for more bytes than announced, `invalid` for fewer; `rejected` when a newer
   *   request has replaced this one, or the session has ended meanwhile
   */
  receive(
    session: UploadSession,
    read: (store: Store, signal: AbortSignal) => Promise<StoredBytes>,
  ): Promise<UploadSession> {
    return this.#writerLocks.withLock(session, async (lock) => {
      const bytes = await read((source) => this.#store(lock, source), lock.signal);
      try {
        return await this.#record(lock, bytes);
      } catch (error) {
        if (isDefiniteFailure(error)) await this.discard(bytes);
        throw error;
      }
    });
  }

  /** Discards stored bytes, for a form with an error after its file. */
  discard(place: ObjectLocation): Promise<void> {
    return this.#blobs.discard([place]);
  }

  #store({ session, attempt, signal, report }: WriterLock, source: AsyncIterable<Uint8Array>) {
    const objectKey = attempt === 1 ? session.objectKey : this.#blobs.newKey();
    return this.#blobs.write(source, {
      location: { policyId: session.policyId, objectKey },
      maxBytes: session.size,
      overLimitMessage: OVER_ANNOUNCED,
      signal,
      onProgress: report,
    });
  }

  async #record({ session, id }: WriterLock, bytes: StoredBytes): Promise<UploadSession> {
    if (session.kind === 'SESSION' && bytes.size !== session.size) {
      throw new Failure('invalid', `The file has ${bytes.size} bytes, and ${session.size} were announced.`);
    }
    const moved = await this.#database.transact((tx) =>
      changeStatus(tx, session.id, 'UPLOADING', {
        now: this.#clock.now(),
        change: fromStored(bytes),
        writerId: id,
        from: OPEN,
      }),
    );
    if (moved === undefined) {
      throw new Failure('rejected', 'The upload has ended, or a newer request sends it now.');
    }
    // Only the holder of the writer lock replaces `stored`, so it is unchanged since the lock was acquired.
    if (session.stored !== null) await this.discard(session.stored);
    return moved;
  }
}
