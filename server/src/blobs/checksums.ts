import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ByteCounter, type ByteDigest, ReusingStream } from '../base/byte-streams.ts';
import { Failure } from '../base/failure.ts';
import type { Database } from '../database/database.ts';
import { findUncheckedBlob, isUnchecked, recordChecksums, type UncheckedBlob } from './queries.ts';
import type { OnFault } from './sweeper.ts';

export type { UncheckedBlob };

/**
 * Takes the checksums of objects that came to a store without passing this program, or passed it without being hashed.
 *
 * Several instances may do so at the same time: the first to know them records them. What cannot be read, or is not as
 * long as its record says, is told and passed over until `forgetFaults`.
 */
export class ChecksumPass {
  readonly #database: Database;
  readonly #open: (blob: UncheckedBlob) => Promise<Readable>;
  readonly #onFault: OnFault;
  /** What could not be read, until it is forgotten. */
  readonly #faulty = new Set<number>();

  constructor(parts: {
    database: Database;
    /** Opens the blob's bytes from the first to the last. */
    open: (blob: UncheckedBlob) => Promise<Readable>;
    onFault: OnFault;
  }) {
    this.#database = parts.database;
    this.#open = parts.open;
    this.#onFault = parts.onFault;
  }

  /** Lets the next run try again what could not be read. */
  forgetFaults(): void {
    this.#faulty.clear();
  }

  /**
   * Goes over all blobs without checksums once, oldest first and one at a time. Gives how many it has recorded.
   * @throws the reason of the signal; Failure `unavailable` when the database is out of reach
   */
  async run(signal: AbortSignal): Promise<number> {
    let recorded = 0;
    for (let after = 0; ; ) {
      signal.throwIfAborted();
      const blob = await findUncheckedBlob(this.#database.db, after);
      if (blob === undefined) return recorded;
      after = blob.id;
      if (this.#faulty.has(blob.id)) continue;
      const digest = await this.#tryDigest(blob, signal);
      if (digest === undefined) continue;
      const isRecorded = await this.#database.transact((tx) => recordChecksums(tx, blob, digest));
      if (isRecorded) recorded += 1;
    }
  }

  async #tryDigest(blob: UncheckedBlob, signal: AbortSignal): Promise<ByteDigest | undefined> {
    try {
      return await digestOf(blob, await this.#open(blob), signal);
    } catch (error) {
      signal.throwIfAborted();
      // The sweeper may have taken it meanwhile: then nothing is wrong.
      if (await isUnchecked(this.#database.db, blob)) {
        this.#onFault(error, `take the checksums of ${blob.objectKey}`);
        // A store that is out of reach would keep every other one waiting too.
        if (error instanceof Failure && error.kind === 'unavailable') throw error;
        this.#faulty.add(blob.id);
      }
      return undefined;
    }
  }
}

async function digestOf(blob: UncheckedBlob, bytes: Readable, signal: AbortSignal): Promise<ByteDigest> {
  const counter = new ByteCounter();
  const counting = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      counter.add(chunk);
      if (bytes instanceof ReusingStream) bytes.giveBack(chunk);
      if (counter.size > blob.size) done(wrongLength(blob, 'more'));
      // Whoever asks for something meanwhile waits for one chunk, not for the object.
      else setImmediate(done);
    },
  });
  await pipeline(bytes, counting, { signal });
  if (counter.size < blob.size) throw wrongLength(blob, `only ${counter.size}`);
  return counter.digest();
}

function wrongLength({ objectKey, size }: UncheckedBlob, found: string): Error {
  return new Error(`The object ${objectKey} has ${found} bytes, and its record says ${size}.`);
}
