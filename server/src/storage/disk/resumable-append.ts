import { ChunkSource, type GatheredBatch } from '../chunk-source.ts';
import {
  type AppendOptions,
  NOTHING_WRITTEN,
  type ResumableWrite,
  type ResumePoint,
} from '../resumable-writes.ts';
import { FileWriter } from './file-writer.ts';

/** Bytes per write to the file. */
const BATCH_BYTES = 1024 * 1024;

/** So much is lost, at most, when the program dies in the middle of a piece. */
const POINT_BYTES = 64 * 1024 * 1024;

/**
 * One piece on its way into a file. While one batch is written the next is awaited, and neither waits for the flush and
 * the record of a point. Nothing is hashed: that would cost more than everything else here.
 */
export class DiskAppend {
  readonly #source: ChunkSource;
  readonly #onPoint: AppendOptions['onPoint'];
  #told: number;
  #telling: Promise<void> = Promise.resolve();

  constructor(
    write: ResumableWrite,
    from: ResumePoint,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ) {
    this.#told = from.size;
    this.#source = new ChunkSource(source, {
      maxBytes: write.size - from.size,
      overLimitMessage: `More than ${write.size} bytes came.`,
      signal: options.signal,
    });
    this.#onPoint = options.onPoint;
  }

  /** Rejects with what ended the piece before its time, when what came until then is durable and told. */
  async writeTo(descriptor: number): Promise<void> {
    const file = new FileWriter(descriptor, this.#told);
    try {
      let batch: GatheredBatch;
      do {
        batch = await this.#source.gather(BATCH_BYTES);
        await file.append(batch);
        if (file.position - this.#told >= POINT_BYTES) {
          await this.#telling;
          this.#tell(file);
        }
      } while (!batch.isLast);
      await this.#telling;
      this.#tell(file);
      await this.#telling;
      if (batch.fault !== undefined) throw batch.fault.error;
    } finally {
      await Promise.allSettled([this.#telling]);
      await file.close();
    }
  }

  /** Call in any case. */
  async close(): Promise<void> {
    await this.#source.close();
  }

  #tell(file: FileWriter): void {
    const size = file.position;
    if (size === this.#told) return;
    this.#told = size;
    this.#telling = file.flush().then(() => this.#onPoint({ ...NOTHING_WRITTEN, size }));
    // A refused point ends the piece, also while the source is silent.
    this.#telling.catch((error) => this.#source.stop(error));
  }
}
