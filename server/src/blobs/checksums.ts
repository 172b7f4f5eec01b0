import type { Readable } from 'node:stream';
import type { ByteDigest } from '../base/bytes/byte-streams.ts';
import { Failure } from '../base/failure.ts';
import type { Database } from '../database/database.ts';
import { digestObject } from './object-digest.ts';
import type { OnFault } from './object-removal.ts';
import { findUncheckedBlob, isUnchecked, recordChecksums, type UncheckedBlob } from './queries.ts';

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
  clearFaults(): void {
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
      return await digestObject(blob, await this.#open(blob), { signal });
    } catch (error) {
      signal.throwIfAborted();
      // The sweeper may have taken it meanwhile, or it lies elsewhere now: then nothing is wrong.
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
