import { type Clock, type Instant, MINUTE, SECOND } from '../../base/clock.ts';
import { noDrive } from '../../base/domain/drives.ts';
import type { ExpectedSize } from '../../base/domain/uploads.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import { deleteExpiredRows } from '../../database/expired-rows.ts';
import { deleteRowsOf } from '../../database/owned-rows.ts';
import type { DriveUser } from '../members/member-check.ts';
import {
  deleteReservation,
  extendReservations,
  findUnreservedBytes,
  putReservation,
  type Uploader,
} from './queries.ts';
import { MAX_UNRESERVED_UPLOAD_BYTES, UnreservedBytes, UploadReservation } from './upload-reservation.ts';

/** A reservation that was not extended for this long has expired: its instance crashed. */
const LEASE_MS = MINUTE;
const EXTENSION_MS = 15 * SECOND;

/** The number of reservations that one statement extends. */
const BATCH = 500;

/**
 * Sums the bytes that were announced in a drive in other ways, which also count against its quota. Returns
 * the sum of all of them, and the sum without those of visitors.
 */
export type SumAnnouncedBytes = (
  tx: Tx,
  driveId: number,
  now: Instant,
) => Promise<{ bytes: number; bytesOfUsers: number }>;

/** An upload whose bytes are about to arrive. */
interface ArrivingUpload {
  readonly user: DriveUser;
  readonly size: ExpectedSize;
  /** The OFFLINE transfer that the upload belongs to. */
  readonly transferId?: string;
  /** The size of the content that the upload replaces, which is already charged. */
  readonly chargedBytes?: number;
  /** The visitor who sends it; undefined for a user of the drive. */
  readonly visit?: Visit;
}

/**
 * A visitor who uploads through a folder link. The upload must also fit alongside what all visitors have
 * announced and reserved. Uploads of the drive's users need not.
 */
export interface Visit {
  readonly folderLinkId: number;
  /** The address of the visitor, as limits count it. */
  readonly visitorAddress: string | null;
  /**
   * Checks whether this many bytes may be reserved. Runs in the transaction that has locked the drive and
   * makes or enlarges the reservation.
   * @param id the reservation's id
   * @throws Failure that rejects the upload
   */
  readonly check?: (tx: Tx, id: string, bytes: number) => Promise<void>;
}

interface UploadReservationsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sumAnnouncedBytes: SumAnnouncedBytes;
  /** Runs the work in a transaction that locks the drive. A power cut may undo its commit. */
  readonly withDriveLock: <T>(user: DriveUser, work: (tx: Tx) => Promise<T>) => Promise<T>;
}

/**
 * Makes arriving bytes count against the quota of their drive before a transaction charges them. Otherwise, an
 * account could store any number of bytes in uploads that it never finishes.
 *
 * A row in the database reserves the bytes of one request. All instances add up the rows of a drive, and
 * its upload sessions, under the lock of the drive. The row is deleted when the request ends for any reason.
 * While the request runs, its instance extends the row; if the instance crashes, the row expires. Rows need
 * not survive a crash, so no one waits for their flush.
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
    const { size, chargedBytes = 0 } = upload;
    const { driveId } = upload.user;
    const wanted = unreservedBytesOf(size);
    const unreservedBytes = this.#unreserved.take(driveId, wanted) ? wanted : 0;
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
      this.#unreserved.release(driveId, unreservedBytes);
      if (this.#running.size === 0) this.#stopExtending();
    }
  }

  /**
   * The unused part of the drive's quota, minus what running requests have reserved. For users, visitors'
   * reservations do not count. The result stays valid only if the caller's transaction has locked the drive.
   * @throws Failure `not-found`
   */
  async getUnreservedBytes(db: Db, driveId: number, uploader: Uploader): Promise<number> {
    const bytes = await findUnreservedBytes(db, driveId, uploader, this.#parts.clock.now());
    if (bytes === undefined) throw noDrive();
    return Math.max(0, bytes);
  }

  /** Deletes the reservations in a drive that is being deleted. */
  deleteAllOf(driveId: number, signal: AbortSignal): Promise<void> {
    return deleteRowsOf(this.#parts.database, 'upload_reservation', driveId, signal);
  }

  /** Deletes expired reservations, which crashed instances left behind. */
  deleteExpired(signal: AbortSignal): Promise<void> {
    return deleteExpiredRows(this.#parts.database, 'upload_reservation', this.#parts.clock.now(), signal);
  }

  /**
   * Makes or enlarges a reservation. A rejected upload gives up its reservation in the same transaction, so
   * of several competing uploads, the last one still fits.
   */
  async #reserve(
    id: string,
    { user, transferId, visit }: ArrivingUpload,
    { atLeast, atMost }: { atLeast: number; atMost: number },
  ): Promise<number> {
    const { driveId } = user;
    const reserved = await this.#parts.withDriveLock(user, async (tx) => {
      const rejection = await findRejection(visit?.check?.(tx, id, atLeast));
      if (rejection !== undefined) {
        await deleteReservation(tx, id);
        return rejection;
      }
      const now = this.#parts.clock.now();
      const announced = await this.#parts.sumAnnouncedBytes(tx, driveId, now);
      const bytes = await putReservation(tx, {
        id,
        driveId,
        transferId: transferId ?? null,
        folderLinkId: visit?.folderLinkId ?? null,
        visitorAddress: visit?.visitorAddress ?? null,
        atLeastBytes: atLeast,
        atMostBytes: atMost,
        announcedBytes: visit === undefined ? announced.bytesOfUsers : announced.bytes,
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

  /** While the database is unreachable, reservations may expire. The charge at the end still decides. */
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

/** Returns the failure that rejects an upload. Rethrows other errors. */
async function findRejection(check: Promise<void> | undefined): Promise<Failure | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** How many bytes an upload of this size may store before they are reserved or charged. */
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
