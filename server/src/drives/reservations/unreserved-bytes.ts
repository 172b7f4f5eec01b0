/**
 * Uploads up to this size are not reserved in the database, nor are the first bytes, up to this number, of an
 * upload of unknown size. A store collects as many bytes in memory before it starts to write.
 */
export const MAX_UNRESERVED_UPLOAD_BYTES = 512 * 1024;

/** The unreserved bytes of one account that may be in flight at this instance. */
const MAX_UNRESERVED_BYTES = 8 * 1024 * 1024;

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
