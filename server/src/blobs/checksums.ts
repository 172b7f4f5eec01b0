import type { Readable } from 'node:stream';
import type { ByteDigest } from '../base/bytes/byte-streams.ts';
import { Failure } from '../base/failure.ts';
import type { Database } from '../database/database.ts';
import { digestObject } from './object-digest.ts';
import type { OnFault } from './object-removal.ts';
import { findUncheckedBlob, isUnchecked, recordChecksums, type UncheckedBlob } from './queries.ts';

export type { UncheckedBlob };

interface ChecksumPassParts {
  readonly database: Database;
  /** Opens the blob's bytes from the first to the last. */
  readonly open: (blob: UncheckedBlob) => Promise<Readable>;
  readonly onFault: OnFault;
}

/**
 * Computes the checksums of objects that were uploaded directly to a store, or passed through this service
 * without being hashed.
 *
 * Several instances may run the pass at the same time: the first one that knows a checksum records it. An
 * object that cannot be read, or whose length differs from its record, is reported and skipped until
 * `clearFaults` is called.
 */
export class ChecksumPass {
  readonly #parts: ChecksumPassParts;
  /** Ids of blobs that could not be read. */
  readonly #faulty = new Set<number>();

  constructor(parts: ChecksumPassParts) {
    this.#parts = parts;
  }

  /** Makes the next run try unreadable objects again. */
  clearFaults(): void {
    this.#faulty.clear();
  }

  /**
   * Hashes all blobs without checksums, oldest first and one at a time. Returns the number of recorded
   * checksums.
   * @throws the reason of the signal; Failure `unavailable` when the database or a store is unavailable
   */
  async run(signal: AbortSignal): Promise<number> {
    let recorded = 0;
    for (let after = 0; ; ) {
      signal.throwIfAborted();
      const blob = await findUncheckedBlob(this.#parts.database.db, after);
      if (blob === undefined) return recorded;
      after = blob.id;
      if (this.#faulty.has(blob.id)) continue;
      const digest = await this.#tryDigest(blob, signal);
      if (digest === undefined) continue;
      const isRecorded = await this.#parts.database.transact((tx) => recordChecksums(tx, blob, digest));
      if (isRecorded) recorded += 1;
    }
  }

  async #tryDigest(blob: UncheckedBlob, signal: AbortSignal): Promise<ByteDigest | undefined> {
    try {
      return await digestObject(blob, await this.#parts.open(blob), { signal });
    } catch (error) {
      signal.throwIfAborted();
      // The blob may have been removed or migrated meanwhile, which is no fault.
      if (await isUnchecked(this.#parts.database.db, blob)) {
        this.#parts.onFault(error, `take the checksums of ${blob.objectKey}`);
        // All other objects of an unavailable store would fail too, each after a timeout.
        if (error instanceof Failure && error.kind === 'unavailable') throw error;
        this.#faulty.add(blob.id);
      }
      return undefined;
    }
  }
}
