import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, type Instant, SECOND } from '../../../base/clock.ts';
import { Failure } from '../../../base/failure.ts';
import { isMissing } from './failures.ts';

interface DiskSpace {
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** The free bytes that this process may use. */
  readonly availableBytes: number;
}

/** Measures the file system that contains the directory. */
export async function measureDiskSpace(directory: string): Promise<DiskSpace> {
  const { bsize, blocks, bfree, bavail } = await statfs(directory);
  return { totalBytes: blocks * bsize, freeBytes: bfree * bsize, availableBytes: bavail * bsize };
}

/** How long a measurement of the disk is used. */
const MEASUREMENT_TTL_MS = 2 * SECOND;

/** The bytes of one write that has been admitted. */
interface AdmittedBytes {
  /** Reports how many bytes have been received so far. */
  receive(bytes: number): void;
  /** Must be called when the write ends, whether it succeeded or not. */
  end(): void;
}

interface Write {
  readonly expectedBytes: number;
  receivedBytes: number;
}

interface FreeSpaceParts {
  /** May not exist before the first write. */
  readonly directory: string;
  readonly minBytes: number;
  readonly clock: Clock;
  readonly measure?: (directory: string) => Promise<DiskSpace>;
}

/**
 * Keeps a part of a disk free by rejecting writes while less than a minimum is available. So a database on
 * the same disk keeps working, and users can still delete files. Bytes that running writes have announced but
 * not yet sent count as used.
 */
export class FreeSpace {
  readonly minBytes: number;
  readonly #parts: FreeSpaceParts;
  readonly #measure: (directory: string) => Promise<DiskSpace>;
  readonly #writes = new Set<Write>();
  #availableBytes = 0;
  #measuredAt: Instant | undefined;
  /** Announced bytes not yet in the measurement. */
  #awaitedBytes = 0;
  #measuring: Promise<void> | undefined;

  constructor(parts: FreeSpaceParts) {
    this.#parts = parts;
    this.minBytes = parts.minBytes;
    this.#measure = parts.measure ?? measureDiskSpace;
  }

  /**
   * Admits a write of about `expectedBytes` bytes. Pass 0 if the size is unknown.
   * @throws Failure `over-limit` if the disk has no room for it
   */
  async admit(expectedBytes: number): Promise<AdmittedBytes> {
    await this.check(expectedBytes);
    const write: Write = { expectedBytes, receivedBytes: 0 };
    this.#writes.add(write);
    this.#awaitedBytes += expectedBytes;
    return {
      receive: (bytes) => {
        write.receivedBytes = bytes;
      },
      end: () => {
        this.#writes.delete(write);
      },
    };
  }

  /** @throws Failure `over-limit` if the disk has no room for this number of bytes */
  async check(bytes: number): Promise<void> {
    if (!this.#isRecent()) await this.#update();
    // Writes that ended since the last measurement may have left room.
    if (!this.#hasRoomFor(bytes)) await this.#update();
    if (!this.#hasRoomFor(bytes)) throw this.#refusal();
  }

  /**
   * Finds out whether a running write must end because the disk is almost full. Other writes may have filled
   * it, or this one did not announce its length.
   * @returns the failure to throw; undefined if the write may continue
   */
  async findRefusal(): Promise<Failure | undefined> {
    if (!this.#isRecent()) await this.#update();
    return this.#availableBytes < this.minBytes ? this.#refusal() : undefined;
  }

  #isRecent(): boolean {
    return this.#measuredAt !== undefined && this.#parts.clock.now() - this.#measuredAt < MEASUREMENT_TTL_MS;
  }

  #hasRoomFor(bytes: number): boolean {
    return this.#availableBytes - this.#awaitedBytes - bytes >= this.minBytes;
  }

  /** Measures the disk. Concurrent callers share one measurement. */
  #update(): Promise<void> {
    this.#measuring ??= this.#readDisk().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async #readDisk(): Promise<void> {
    const { availableBytes } = await this.#measureExisting();
    this.#availableBytes = availableBytes;
    this.#awaitedBytes = 0;
    for (const { expectedBytes, receivedBytes } of this.#writes) {
      this.#awaitedBytes += Math.max(0, expectedBytes - receivedBytes);
    }
    this.#measuredAt = this.#parts.clock.now();
  }

  async #measureExisting(): Promise<DiskSpace> {
    try {
      return await this.#measure(this.#parts.directory);
    } catch (error) {
      if (!isMissing(error)) throw error;
      return await this.#measure(path.dirname(this.#parts.directory));
    }
  }

  #refusal(): Failure {
    const cause = new Error(
      `The disk of ${this.#parts.directory} has ${this.#availableBytes} bytes available, of which ` +
        `${this.#awaitedBytes} are announced, and HOLDALL_MIN_FREE_DISK_BYTES is ${this.minBytes}.`,
    );
    const message =
      'The disk of this service is almost full, so nothing can be uploaded. Deleting still works.';
    return new Failure('over-limit', message, { retryAfterSeconds: 60, cause });
  }
}
