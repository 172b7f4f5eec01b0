import { type Clock, type Instant, MINUTE, SECOND } from '../../base/clock.ts';
import type { ExpectedSize } from '../../base/domain/uploads.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import { deleteExpiredRows } from '../../database/expired-rows.ts';
import { deleteRowsOf } from '../../database/owned-rows.ts';
import {
  deleteReservation,
  extendReservations,
  findUnreservedBytes,
  putReservation,
  type Uploader,
} from './queries.ts';
import { MAX_UNRESERVED_UPLOAD_BYTES, UnreservedBytes, UploadReservation } from './upload-reservation.ts';

/** A reservation that is not extended for this long has ended: its instance crashed. */
const LEASE_MS = MINUTE;
const EXTENSION_MS = 15 * SECOND;

/** The number of reservations that one statement extends. */
const BATCH = 500;

/**
 * The bytes that were announced in other ways in a drive, and that count against its quota too: all of them,
 * and without those of visitors.
 */
export type SumAnnouncedBytes = (
  tx: Tx,
  ownerId: number,
  now: Instant,
) => Promise<{ bytes: number; bytesOfOwner: number }>;

/** An upload that is about to send its bytes. */
interface ArrivingUpload {
  readonly ownerId: number;
  readonly size: ExpectedSize;
  /** The OFFLINE transfer that it belongs to. */
  readonly transferId?: string;
  /** Bytes of the content that it replaces, which are charged already. */
  readonly chargedBytes?: number;
  /** The visitor who sends it; undefined for the owner. */
  readonly visit?: Visit;
}

/**
 * Who uploads through a folder link. The upload must also fit with what all visitors have announced and
 * reserved, which does not stop the owner.
 */
export interface Visit {
  readonly folderLinkId: number;
  /** The address of the visitor, as limits count it. */
  readonly visitorAddress: string | null;
  /**
   * Checks whether so many bytes may be reserved, in the transaction that makes or enlarges the reservation
   * and has locked the drive.
   * @param id of the reservation
   * @throws Failure that refuses the upload
   */
  readonly check?: (tx: Tx, id: string, bytes: number) => Promise<void>;
}

interface UploadReservationsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sumAnnouncedBytes: SumAnnouncedBytes;
  /** Runs the work in a transaction that locks the owner's account. A power cut may undo its commit. */
  readonly withDriveLock: <T>(ownerId: number, work: (tx: Tx) => Promise<T>) => Promise<T>;
}

/**
 * Makes bytes count against the quota of their owner while they arrive, before a transaction charges them:
 * otherwise an account could store any number of bytes in uploads that it never ends.
 *
 * A row in the database reserves the bytes of one request. All instances add up the rows of an account, and
 * its upload sessions, under the lock of its drive. The row is deleted when the request ends, in whatever
 * way. While the request runs its instance extends the row, so a row whose instance crashed expires. A row
 * need not survive a crash, so nobody waits for its flush.
 *
 * Small uploads have no row: their bytes are counted in memory (see {@link UnreservedBytes}) and charged as
 * soon as they are written. An upload without an announced length reserves its bytes while they arrive.
 */
export class UploadReservations {
  readonly #parts: UploadReservationsParts;
  readonly #unreserved = new UnreservedBytes();
  readonly #running = new Set<UploadReservation>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: UploadReservationsParts) {
    this.#parts = parts;
  }

  /**
   * Receives an upload while its bytes are reserved. The reservation ends with the work.
   * @throws Failure `over-limit` if an announced size does not fit, before the work begins
   */
  async reserveDuring<T>(
    upload: ArrivingUpload,
    work: (reservation: UploadReservation) => Promise<T>,
  ): Promise<T> {
    const { ownerId, size, chargedBytes = 0 } = upload;
    const wanted = unreservedBytesOf(size);
    const unreservedBytes = this.#unreserved.take(ownerId, wanted) ? wanted : 0;
    const reservation = new UploadReservation({
      id: this.#parts.ids.uuid(),
      database: this.#parts.database,
      size,
      unreservedBytes,
      chargedBytes,
      reserve: (id, bytes) => this.#reserve(id, upload, bytes),
    });
    this.#running.add(reservation);
    try {
      await reservation.begin();
      return await work(reservation);
    } finally {
      this.#running.delete(reservation);
      await reservation.end();
      this.#unreserved.release(ownerId, unreservedBytes);
      if (this.#running.size === 0) this.#stopExtending();
    }
  }

  /**
   * The unused part of the owner's quota without what running requests have reserved: for the owner without
   * those of visitors. The caller's transaction must have locked the drive, so that it stays true.
   * @throws Failure `not-found`
   */
  async getUnreservedBytes(db: Db, ownerId: number, uploader: Uploader): Promise<number> {
    const bytes = await findUnreservedBytes(db, ownerId, uploader, this.#parts.clock.now());
    if (bytes === undefined) throw new Failure('not-found', 'There is no such account.');
    return Math.max(0, bytes);
  }

  /** Deletes the reservations in the drive of an account that is being deleted. */
  deleteAllOf(ownerId: number, signal: AbortSignal): Promise<void> {
    return deleteRowsOf(this.#parts.database, 'upload_reservation', ownerId, signal);
  }

  /** Deletes the reservations of crashed instances, which have expired. */
  deleteExpired(signal: AbortSignal): Promise<void> {
    return deleteExpiredRows(this.#parts.database, 'upload_reservation', this.#parts.clock.now(), signal);
  }

  /** A rejected upload returns its reservation in the same transaction, so the last of several still fits. */
  async #reserve(
    id: string,
    { ownerId, transferId, visit }: ArrivingUpload,
    { atLeast, atMost }: { atLeast: number; atMost: number },
  ): Promise<number> {
    const reserved = await this.#parts.withDriveLock(ownerId, async (tx) => {
      const refusal = await findRefusal(visit?.check?.(tx, id, atLeast));
      if (refusal !== undefined) {
        await deleteReservation(tx, id);
        return refusal;
      }
      const now = this.#parts.clock.now();
      const announced = await this.#parts.sumAnnouncedBytes(tx, ownerId, now);
      const bytes = await putReservation(tx, {
        id,
        ownerId,
        transferId: transferId ?? null,
        folderLinkId: visit?.folderLinkId ?? null,
        visitorAddress: visit?.visitorAddress ?? null,
        atLeastBytes: atLeast,
        atMostBytes: atMost,
        announcedBytes: visit === undefined ? announced.bytesOfOwner : announced.bytes,
        now,
        expiresAt: now + LEASE_MS,
      });
      if (bytes === undefined) await deleteReservation(tx, id);
      return bytes ?? overReserved();
    });
    if (reserved instanceof Failure) throw reserved;
    this.#timer ??= setInterval(() => void this.#extendAll(), EXTENSION_MS).unref();
    return reserved;
  }

  /** If the database is unreachable, the reservations may expire; the charge at the end still decides. */
  async #extendAll(): Promise<void> {
    const ids = [...this.#running].filter(({ isStored }) => isStored).map(({ id }) => id);
    const expiresAt = this.#parts.clock.now() + LEASE_MS;
    for (let start = 0; start < ids.length; start += BATCH) {
      const batch = ids.slice(start, start + BATCH);
      await this.#parts.database
        .transactVolatile((tx) => extendReservations(tx, batch, expiresAt))
        .catch(() => undefined);
    }
  }

  #stopExtending(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** The failure that refuses an upload. Other errors pass. */
async function findRefusal(check: Promise<void> | undefined): Promise<Failure | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** What an upload of this size may store before it is reserved or charged. */
function unreservedBytesOf({ maxBytes }: ExpectedSize): number {
  if (maxBytes === undefined) return MAX_UNRESERVED_UPLOAD_BYTES;
  return maxBytes <= MAX_UNRESERVED_UPLOAD_BYTES ? maxBytes : 0;
}

export function overReserved(): Failure {
  return new Failure(
    'over-limit',
    'There is not enough storage space left for this file and the other uploads that are not completed yet.',
  );
}
