import { ChunkSource } from '../../chunk-source.ts';
import type { AppendOptions, ResumableWrite, ResumePoint } from '../../resumable-writes.ts';
import type { S3Bucket } from '../bucket.ts';
import { readS3Object } from '../objects/reading.ts';
import { removeS3Objects } from '../objects/removal.ts';
import { putObject, sendPart } from './multipart-requests.ts';
import { PartBuffer } from './part-buffer.ts';
import { evenPartBytes } from './part-sizes.ts';

/** The bytes that are read from the source at a time. */
const BATCH_BYTES = 256 * 1024;

interface Piece {
  readonly write: ResumableWrite;
  /** The point after which the piece is appended. */
  readonly from: ResumePoint;
  readonly source: AsyncIterable<Uint8Array>;
  readonly options: AppendOptions;
}

/**
 * Appends one piece of a resumable write to a multipart upload, as further parts. While one part is sent the
 * next one is filled. That takes 16 MiB of memory for objects up to 78 GiB, and more if parts have to be
 * larger. Only the hashes that the requests need are computed.
 */
export class S3Append {
  readonly #bucket: S3Bucket;
  readonly #write: ResumableWrite;
  readonly #options: AppendOptions;
  readonly #source: ChunkSource;
  readonly #partBytes: number;
  /** The last reported point. */
  #reported: ResumePoint;
  /** The number of parts that are stored or being sent. */
  #partCount: number;
  #part: PartBuffer | undefined;
  #sending: Promise<void> = Promise.resolve();
  #spare: Buffer | undefined;

  constructor(bucket: S3Bucket, { write, from, source, options }: Piece) {
    this.#bucket = bucket;
    this.#write = write;
    this.#options = options;
    this.#reported = from;
    this.#partCount = from.parts;
    this.#partBytes = evenPartBytes(write.size);
    this.#source = new ChunkSource(source, {
      maxBytes: write.size - from.size,
      overLimitMessage: `More than ${write.size} bytes were sent.`,
      signal: options.signal,
    });
  }

  /** If the piece ends early, rejects once the bytes received until then are stored and reported. */
  async run(): Promise<void> {
    this.#bucket.location(this.#write.key);
    for (;;) {
      const { chunks, isLast, fault } = await this.#source.gather(BATCH_BYTES);
      for (const chunk of chunks) await this.#add(chunk);
      if (!isLast) continue;
      await this.#sending;
      await this.#storeTail();
      if (fault !== undefined) throw fault.error;
      return;
    }
  }

  /** Must always be called. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#sending]);
    await this.#source.close();
  }

  async #add(chunk: Uint8Array): Promise<void> {
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

  /**
   * The first part begins with the tail of the previous piece. The last part of the object is smaller: it is
   * full when it holds the rest.
   */
  async #beginPart(): Promise<PartBuffer> {
    const start = this.#partCount * this.#partBytes;
    const part = new PartBuffer(Math.min(this.#partBytes, this.#write.size - start), this.#spare);
    this.#spare = undefined;
    const { tailKey, parts, size } = this.#reported;
    if (tailKey !== null && parts === this.#partCount) {
      part.add(await readS3Object(this.#bucket, tailKey, { start: 0, end: size - start - 1 }));
    }
    return part;
  }

  /** Sends one part at a time, so that points are reported in order. */
  async #send(part: PartBuffer): Promise<void> {
    await this.#sending;
    this.#partCount += 1;
    const number = this.#partCount;
    const size = Math.min(number * this.#partBytes, this.#write.size);
    this.#sending = sendPart(this.#bucket, this.#write, { number, part }).then(async () => {
      this.#spare = part.memory;
      await this.#report({ size, parts: number, tailKey: null });
    });
    // A failure ends the piece immediately, even while the source produces nothing.
    this.#sending.catch((error) => this.#source.stop(error));
  }

  async #storeTail(): Promise<void> {
    const part = this.#part;
    if (part === undefined) return;
    const tailKey = this.#options.newKey();
    await putObject(this.#bucket, this.#bucket.location(tailKey), part.bytes(), await part.digest());
    await this.#report({
      size: this.#partCount * this.#partBytes + part.size,
      parts: this.#partCount,
      tailKey,
    });
  }

  /**
   * Reports a point and removes the tail of the previous one. If reporting fails, the new tail stays, because
   * the owner may have recorded it despite the error. If the owner has not, the sweeper removes the tail.
   */
  async #report(point: ResumePoint): Promise<void> {
    await this.#options.onPoint(point);
    const { tailKey } = this.#reported;
    this.#reported = point;
    if (tailKey !== null) await removeS3Objects(this.#bucket, [tailKey]).catch(() => {});
  }
}
