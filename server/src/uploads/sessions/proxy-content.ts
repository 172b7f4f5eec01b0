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

/** Stores a source under a key for the session. */
type Store = (source: AsyncIterable<Uint8Array>) => Promise<StoredBytes>;

/**
 * The whole bytes of a session in one request through us. Sent again they replace what was there, as long as the
 * session is open. The first attempt writes under the session's key, each later one under a key of its own: so a slow
 * sender can never change what another one has stored, or what was completed meanwhile.
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

  /** To be refused before the bytes are read. @throws Failure `rejected` */
  async check(session: UploadSession): Promise<{ maxBytes: number; message: string }> {
    checkMode(session, 'PROXY');
    checkOpen(session, this.#clock.now());
    await checkEnabled(this.#policies, this.#database, session.policyId);
    return { maxBytes: session.size, message: OVER_ANNOUNCED };
  }

  /**
   * Takes the bytes of a session.
   * @param read hands the source to the function that it gets and gives what that gives; ends with the signal
   * @throws Failure `over-limit` for more than announced, `invalid` for fewer; `rejected` when somebody else sends now,
   *   or the session has ended meanwhile
   */
  receive(
    session: UploadSession,
    read: (store: Store, signal: AbortSignal) => Promise<StoredBytes>,
  ): Promise<UploadSession> {
    return this.#writerLocks.run(session, async (writer) => {
      const bytes = await read((source) => this.#store(writer, source), writer.signal);
      try {
        return await this.#keep(writer, bytes);
      } catch (error) {
        if (isDefiniteFailure(error)) await this.discard(bytes);
        throw error;
      }
    });
  }

  /** For a form that turns out wrong behind its file. */
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

  async #keep({ session, id }: WriterLock, bytes: StoredBytes): Promise<UploadSession> {
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
      throw new Failure('rejected', 'The upload has ended, or another request sends it now.');
    }
    // Only the writer replaces what is stored: it is still what the session had when this one began.
    if (session.stored !== null) await this.discard(session.stored);
    return moved;
  }
}
