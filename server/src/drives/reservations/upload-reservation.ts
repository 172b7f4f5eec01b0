import { Readable } from 'node:stream';
import { chunksOf } from '../../base/bytes/byte-streams.ts';
import type { ExpectedSize } from '../../base/domain/uploads.ts';
import type { Database, Tx } from '../../database/database.ts';
import { deleteReservation } from './queries.ts';

const MIB = 1024 * 1024;

/**
 * Uploads up to this size are not reserved in the database. Of an upload of unknown size, this many bytes are
 * not reserved either. A store collects just as many bytes in memory before it starts to write.
 */
export const MAX_UNRESERVED_UPLOAD_BYTES = 512 * 1024;

/** The maximum number of unreserved bytes in flight per account on this instance. */
const MAX_UNRESERVED_BYTES = 8 * 1024 * 1024;

/** Enlarges a reservation in the database, and returns its new size in bytes. */
type Reserve = (id: string, bytes: { atLeast: number; atMost: number }) => Promise<number>;

interface UploadReservationParts {
  readonly id: string;
  readonly database: Database;
  readonly size: ExpectedSize;
  /** How many bytes the upload may store without a reservation. */
  readonly unreservedBytes: number;
  /** The size of the content that the upload replaces, which is already charged. */
  readonly chargedBytes: number;
  readonly reserve: Reserve;
}

/** The reserved bytes of one running upload. */
export class UploadReservation {
  readonly id: string;
  readonly #parts: UploadReservationParts;
  #reservedBytes = 0;
  #isStored = false;
  #isOver = false;
  #reserving: Promise<unknown> = Promise.resolve();

  constructor(parts: UploadReservationParts) {
    this.#parts = parts;
    this.id = parts.id;
  }

  /** The maximum size of the file; 0 if it is not known. */
  get expectedBytes(): number {
    return this.#parts.size.maxBytes ?? 0;
  }

  /** Whether the database has a row for it, which must be extended. */
  get isStored(): boolean {
    return this.#isStored;
  }

  /** Reserves an announced size, before the first byte. @throws Failure `over-limit` */
  async begin(): Promise<void> {
    const { minBytes, maxBytes } = this.#parts.size;
    if (maxBytes === undefined || maxBytes <= this.#parts.unreservedBytes) return;
    // For a form, only bounds of the file's size are known. For a large file, the lower bound is reserved:
    // reserving more could reject another file that fits.
    const size = maxBytes > MAX_UNRESERVED_UPLOAD_BYTES ? minBytes : maxBytes;
    const bytes = size - this.#parts.chargedBytes;
    if (bytes <= 0) return;
    await this.#enlarge({ atLeast: bytes, atMost: bytes });
  }

  /**
   * Passes on the upload's bytes. If the size was not announced, reserves them while they arrive. The result
   * throws a Failure `over-limit` when they do not fit.
   */
  limit(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    return this.#parts.size.maxBytes === undefined ? this.#reserveArriving(source) : source;
  }

  /** Ends the reservation together with the transaction that charges the bytes. */
  async endWith(tx: Tx): Promise<void> {
    if (!this.#isStored) return;
    await deleteReservation(tx, this.id);
    this.#parts.database.afterCommit(tx, () => {
      this.#isStored = false;
    });
  }

  /** Ends the reservation. Never fails: a row that cannot be deleted now expires later. */
  async end(): Promise<void> {
    this.#isOver = true;
    // A reservation may still be in progress, and its connection may break.
    await this.#reserving.catch(() => undefined);
    if (!this.#isStored) return;
    this.#isStored = false;
    await this.#parts.database
      .transactVolatile((tx) => deleteReservation(tx, this.id))
      .catch(() => undefined);
  }

  async *#reserveArriving(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    // Bytes that replace charged ones need no reservation.
    let received = -this.#parts.chargedBytes;
    for await (const chunk of source instanceof Readable ? chunksOf(source) : source) {
      received += chunk.byteLength;
      if (received > this.#reservedBytes + this.#parts.unreservedBytes) {
        await this.#enlarge({ atLeast: received, atMost: received + this.#bytesAhead(received) });
      }
      yield chunk;
    }
  }

  /**
   * How many bytes are reserved in advance. Nothing at first, so that bytes that one upload will never send
   * do not reject another that still fits. Then more and more, so that a large upload takes few statements.
   */
  #bytesAhead(received: number): number {
    if (received >= 8 * MIB) return Math.min(Math.floor(received / 8), 64 * MIB);
    return this.#parts.unreservedBytes > 0 ? 0 : MIB / 2;
  }

  async #enlarge(bytes: { atLeast: number; atMost: number }): Promise<void> {
    if (this.#isOver) throw new Error('The upload has ended.');
    const reserving = this.#parts.reserve(this.id, bytes).then((reservedBytes) => {
      this.#isStored = true;
      this.#reservedBytes = reservedBytes;
    });
    this.#reserving = reserving;
    await reserving;
  }
}

/**
 * Counts the bytes that the running uploads of each account may store without a reservation. So small uploads
 * need no extra statement. Still, they cannot store more than a few megabytes beyond the quota before their
 * transactions charge them.
 */
export class UnreservedBytes {
  readonly #takenBytes = new Map<number, number>();

  /** Takes the bytes and returns true if they fit. Then the caller must release them when the upload ends. */
  take(driveId: number, bytes: number): boolean {
    const taken = (this.#takenBytes.get(driveId) ?? 0) + bytes;
    if (taken > MAX_UNRESERVED_BYTES) return false;
    this.#takenBytes.set(driveId, taken);
    return true;
  }

  release(driveId: number, bytes: number): void {
    const taken = (this.#takenBytes.get(driveId) ?? 0) - bytes;
    if (taken > 0) this.#takenBytes.set(driveId, taken);
    else this.#takenBytes.delete(driveId);
  }
}
