import { ChunkSource } from '../../chunk-source.ts';
import type { AppendOptions, ResumableWrite, ResumePoint } from '../../resumable-writes.ts';
import type { S3Bucket } from '../bucket.ts';
import { readS3Object } from '../objects/reading.ts';
import { removeS3Objects } from '../objects/removal.ts';
import { putObject, sendPart } from './multipart-requests.ts';
import { PartBuffer } from './part-buffer.ts';
import { evenPartBytes } from './part-sizes.ts';

/** Bytes that are taken from the source at once. */
const BATCH_BYTES = 256 * 1024;

/**
 * One piece of a resumable write on its way into the parts of a multipart upload. While one part is sent the next is
 * filled: 16 MiB of memory for objects up to 78 GiB, more where parts have to be larger. Nothing is hashed but what a
 * request carries.
 */
export class S3Append {
  readonly #bucket: S3Bucket;
  readonly #write: ResumableWrite;
  readonly #options: AppendOptions;
  readonly #source: ChunkSource;
  readonly #partBytes: number;
  /** The last that was told. */
  #told: ResumePoint;
  /** Of the parts that are stored or on their way. */
  #parts: number;
  #part: PartBuffer | undefined;
  #sending: Promise<void> = Promise.resolve();
  #spare: Buffer | undefined;

  constructor(
    bucket: S3Bucket,
    write: ResumableWrite,
    from: ResumePoint,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ) {
    this.#bucket = bucket;
    this.#write = write;
    this.#options = options;
    this.#told = from;
    this.#parts = from.parts;
    this.#partBytes = evenPartBytes(write.size);
    this.#source = new ChunkSource(source, {
      maxBytes: write.size - from.size,
      overLimitMessage: `More than ${write.size} bytes came.`,
      signal: options.signal,
    });
  }

  /** Rejects with what ended the piece before its time, when what came until then is stored and told. */
  async run(): Promise<void> {
    this.#bucket.location(this.#write.key);
    for (;;) {
      const { chunks, isLast, fault } = await this.#source.gather(BATCH_BYTES);
      for (const chunk of chunks) await this.#take(chunk);
      if (!isLast) continue;
      await this.#sending;
      await this.#storeTail();
      if (fault !== undefined) throw fault.error;
      return;
    }
  }

  /** Call in any case. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#sending]);
    await this.#source.close();
  }

  async #take(chunk: Uint8Array): Promise<void> {
    let rest: Uint8Array | undefined = chunk;
    while (rest !== undefined) {
      this.#part ??= await this.#beginPart();
      rest = this.#part.add(rest);
      if (!this.#part.isFull) continue;
      const full = this.#part;
      this.#part = undefined;
      await this.#send(full);
    }
  }

  /** The first begins with the tail of the piece before. The last part of the object is full when it has the rest. */
  async #beginPart(): Promise<PartBuffer> {
    const start = this.#parts * this.#partBytes;
    const part = new PartBuffer(Math.min(this.#partBytes, this.#write.size - start), this.#spare);
    this.#spare = undefined;
    const { tailKey, parts, size } = this.#told;
    if (tailKey !== null && parts === this.#parts) {
      part.add(await readS3Object(this.#bucket, tailKey, { start: 0, end: size - start - 1 }));
    }
    return part;
  }

  /** One part is on its way at a time, so points are told in order. */
  async #send(part: PartBuffer): Promise<void> {
    await this.#sending;
    this.#parts += 1;
    const number = this.#parts;
    const size = Math.min(number * this.#partBytes, this.#write.size);
    this.#sending = sendPart(this.#bucket, this.#write, number, part).then(async () => {
      this.#spare = part.memory;
      await this.#tell({ size, parts: number, tailKey: null });
    });
    // Also while the source is silent.
    this.#sending.catch((error) => this.#source.stop(error));
  }

  async #storeTail(): Promise<void> {
    const part = this.#part;
    if (part === undefined) return;
    const tailKey = this.#options.newKey();
    await putObject(this.#bucket, this.#bucket.location(tailKey), part.bytes(), await part.digest());
    await this.#tell({ size: this.#parts * this.#partBytes + part.size, parts: this.#parts, tailKey });
  }

  /**
   * A tail that nobody came to know stays where it is: whoever was told of it may have recorded it although the
   * recording failed, and unrecorded objects are swept anyway.
   */
  async #tell(point: ResumePoint): Promise<void> {
    await this.#options.onPoint(point);
    const { tailKey } = this.#told;
    this.#told = point;
    if (tailKey !== null) await removeS3Objects(this.#bucket, [tailKey]).catch(() => {});
  }
}
