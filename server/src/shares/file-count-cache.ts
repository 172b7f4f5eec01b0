import { type Clock, type Instant, SECOND } from '../base/clock.ts';
import type { Drive } from '../drive/drive.ts';

/** Directories with fewer entries are counted anew for each request. */
const SMALL = 2_000;
/** How long the count of a larger directory is cached. */
const CACHED_MS = 30 * SECOND;
const MAX_CACHED = 1_000;

/**
 * Counts the files below shared directories. Anyone with a link may request the count, so slow counts are
 * cached and shared by concurrent requests.
 */
export class FileCountCache {
  readonly #drive: Drive;
  readonly #clock: Clock;
  readonly #cached = new Map<number, { readonly count: Promise<number>; readonly until: Instant }>();

  constructor(drive: Drive, clock: Clock) {
    this.#drive = drive;
    this.#clock = clock;
  }

  async get(directoryId: number): Promise<number> {
    const known = this.#cached.get(directoryId);
    if (known !== undefined && known.until > this.#clock.now()) return await known.count;
    this.#cached.delete(directoryId);
    if (await this.#drive.listing.isLargeTree(directoryId, SMALL)) return await this.#countOnce(directoryId);
    return await this.#drive.listing.countFiles(directoryId);
  }

  async #countOnce(directoryId: number): Promise<number> {
    // Another request may have begun to count while this one checked whether the directory is small.
    const known = this.#cached.get(directoryId);
    if (known !== undefined) return await known.count;
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    const count = this.#drive.listing.countFiles(directoryId);
    this.#cached.set(directoryId, { count, until: this.#clock.now() + CACHED_MS });
    count.catch(() => this.#cached.delete(directoryId));
    return await count;
  }
}
