import { Readable } from 'node:stream';
import { chunksOf } from '../../base/bytes/byte-streams.ts';
import type { ExpectedSize } from '../../base/domain/uploads.ts';
import type { Database, Tx } from '../../database/database.ts';
import { deleteReservation } from './queries.ts';

const MIB = 1024 * 1024;

/**
 * Uploads up to this size are not reserved in the database, nor are the first bytes, up to this number, of an
 * upload of unknown size. A store collects as many bytes in memory before it starts to write.
 */
export const MAX_UNRESERVED_UPLOAD_BYTES = 512 * 1024;

/** The unreserved bytes of one account that may be in flight at this instance. */
const MAX_UNRESERVED_BYTES = 8 * 1024 * 1024;

/** Enlarges a reservation in the database, and returns the bytes that it then has. */
type Reserve = (id: string, bytes: { atLeast: number; atMost: number }) => Promise<number>;

interface UploadReservationParts {
  readonly id: string;
  readonly database: Database;
  readonly size: ExpectedSize;
  /** What the upload may store without a reservation. */
  readonly unreservedBytes: number;
  /** Bytes of the content that the upload replaces, which are charged already. */
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

  /** The size of the file at most, as far as it is known; 0 if it is not. */
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
    // Of a form only bounds of the file's size are known. Of a large file the lower one is reserved:
    // reserving more could reject another file that fits.
    const size = maxBytes > MAX_UNRESERVED_UPLOAD_BYTES ? minBytes : maxBytes;
    const bytes = size - this.#parts.chargedBytes;
    if (bytes <= 0) return;
    await this.#enlarge({ atLeast: bytes, atMost: bytes });
  }

  /**
   * Passes the bytes of the upload on. If their number was not announced, it reserves them while they arrive.
   * The result throws a Failure `over-limit` when they do not fit.
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

  /** Ends the reservation. Never fails: what cannot be deleted now expires. */
  async end(): Promise<void> {
    this.#isOver = true;
    // A connection may break while a reservation is made.
    await this.#reserving.catch(() => undefined);
    if (!this.#isStored) return;
    this.#isStored = false;
    await this.#parts.database
      .transactVolatile((tx) => deleteReservation(tx, this.id))
      .catch(() => undefined);
  }

  async *#reserveArriving(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    // What replaces charged bytes needs no reservation.
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
   * How much is reserved in advance: nothing at first, so that the last upload that fits is not rejected
   * because of bytes that another one will not send; then more and more, so that a large upload takes few
   * statements.
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
 * take no statement of their own, and still cannot store more than a few megabytes beyond the quota before
 * their transactions charge them.
 */
export class UnreservedBytes {
  readonly #takenBytes = new Map<number, number>();

  /** Whether the bytes fit. If so, they must be given back when the upload ends. */
  take(ownerId: number, bytes: number): boolean {
    const taken = (this.#takenBytes.get(ownerId) ?? 0) + bytes;
    if (taken > MAX_UNRESERVED_BYTES) return false;
    this.#takenBytes.set(ownerId, taken);
    return true;
  }

  release(ownerId: number, bytes: number): void {
    const taken = (this.#takenBytes.get(ownerId) ?? 0) - bytes;
    if (taken > 0) this.#takenBytes.set(ownerId, taken);
    else this.#takenBytes.delete(ownerId);
  }
}
