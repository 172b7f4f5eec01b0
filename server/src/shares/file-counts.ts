import { type Clock, type Instant, SECOND } from '../base/clock.ts';
import type { Drive } from '../drive/drive.ts';

/** Up to here a directory is counted for everybody who asks. */
const SMALL = 2_000;
/** How long the count of a larger one is given again. */
const REMEMBERED_MS = 30 * SECOND;
const MOST_REMEMBERED = 1_000;

/**
 * How many files lie below shared directories. Anybody with a link may ask, as often as they like; so what takes long to
 * count is counted once for all who ask within half a minute.
 */
export class FileCounts {
  readonly #drive: Drive;
  readonly #clock: Clock;
  readonly #remembered = new Map<number, { readonly count: Promise<number>; readonly until: Instant }>();

  constructor(drive: Drive, clock: Clock) {
    this.#drive = drive;
    this.#clock = clock;
  }

  async get(directoryId: number): Promise<number> {
    const known = this.#remembered.get(directoryId);
    if (known !== undefined && known.until > this.#clock.now()) return await known.count;
    this.#remembered.delete(directoryId);
    const small = await this.#drive.listing.countFiles(directoryId, SMALL);
    return small < SMALL ? small : await this.#countOnce(directoryId);
  }

  async #countOnce(directoryId: number): Promise<number> {
    // Somebody else may have begun while this one looked whether it is small.
    const known = this.#remembered.get(directoryId);
    if (known !== undefined) return await known.count;
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    const count = this.#drive.listing.countFiles(directoryId);
    this.#remembered.set(directoryId, { count, until: this.#clock.now() + REMEMBERED_MS });
    count.catch(() => this.#remembered.delete(directoryId));
    return await count;
  }
}
