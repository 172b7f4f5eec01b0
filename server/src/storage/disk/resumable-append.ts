import { ChunkSource, type GatheredBatch } from '../chunk-source.ts';
import {
  type AppendOptions,
  NOTHING_WRITTEN,
  type ResumableWrite,
  type ResumePoint,
} from '../resumable-writes.ts';
import type { FreeSpace } from './file-system/free-space.ts';
import { FileWriter } from './file-writer.ts';

/** The bytes per write to the file. */
const BATCH_BYTES = 1024 * 1024;

/** The distance between resume points. A crash in the middle of a piece loses about this much at most. */
const POINT_INTERVAL_BYTES = 64 * 1024 * 1024;

/**
 * Appends one piece to the file of a resumable write. While one batch is written the next one is read.
 * Neither waits until a resume point is flushed and recorded. The bytes are not hashed, because that would
 * cost more than everything else.
 */
export class DiskAppend {
  readonly #source: ChunkSource;
  readonly #onPoint: AppendOptions['onPoint'];
  readonly #ownsChunks: boolean;
  #reportedBytes: number;
  #durableBytes: number;
  #reporting: Promise<void> = Promise.resolve();

  constructor(
    write: ResumableWrite,
    from: ResumePoint,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ) {
    this.#reportedBytes = from.size;
    this.#durableBytes = from.size;
    this.#source = new ChunkSource(source, {
      maxBytes: write.size - from.size,
      overLimitMessage: `More than ${write.size} bytes were sent.`,
      signal: options.signal,
    });
    this.#onPoint = options.onPoint;
    this.#ownsChunks = options.ownsChunks ?? false;
  }

  /** The bytes that have been reported as durable. */
  get durableBytes(): number {
    return this.#durableBytes;
  }

  /**
   * If the piece ends early, rejects once the bytes received until then are durable and reported.
   * @param freeSpace ends the piece when the disk is almost full
   */
  async writeTo(descriptor: number, freeSpace: FreeSpace | undefined): Promise<void> {
    const file = new FileWriter(descriptor, this.#reportedBytes, this.#ownsChunks);
    try {
      let batch: GatheredBatch;
      do {
        batch = await this.#source.gather(BATCH_BYTES);
        const refusal = await freeSpace?.findRefusal();
        if (refusal !== undefined) this.#source.stop(refusal);
        await file.append(batch);
        if (file.position - this.#reportedBytes >= POINT_INTERVAL_BYTES) {
          await this.#reporting;
          this.#report(file);
        }
      } while (!batch.isLast);
      await this.#reporting;
      this.#report(file);
      await this.#reporting;
      if (batch.fault !== undefined) throw batch.fault.error;
    } finally {
      await Promise.allSettled([this.#reporting]);
      await file.close();
    }
  }

  /** Must always be called. */
  async close(): Promise<void> {
    await this.#source.close();
  }

  #report(file: FileWriter): void {
    const size = file.position;
    if (size === this.#reportedBytes) return;
    this.#reportedBytes = size;
    this.#reporting = file
      .flush()
      .then(() => this.#onPoint({ ...NOTHING_WRITTEN, size }))
      .then(() => {
        this.#durableBytes = size;
      });
    // If the owner rejects the point, the piece ends immediately, even while the source produces nothing.
    this.#reporting.catch((error) => this.#source.stop(error));
  }
}
