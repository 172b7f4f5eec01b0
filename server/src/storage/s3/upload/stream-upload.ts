import type { ByteDigest } from '../../../base/bytes/byte-streams.ts';
import { HashingChunkSource } from '../../chunk-source.ts';
import type { MultipartUpload } from '../../direct-transfers.ts';
import type { WriteOptions } from '../../object-store.ts';
import type { S3Bucket } from '../bucket.ts';
import {
  abortUpload,
  beginUpload,
  completeAndVerifyUpload,
  isMissingUpload,
  lostWrite,
  putObject,
  type StoredPart,
  sendPart,
} from './multipart-requests.ts';
import { PartBuffer } from './part-buffer.ts';
import { MAX_OBJECT_BYTES, nextPartBytes, PART_BYTES } from './part-sizes.ts';

// Memory: a write fills one part while two are on their way, 24 MiB in all up to objects of 8 GiB; beyond, parts grow
// (s3-part-sizes.ts), and from 64 MiB on one is on its way. When many write at once, each has one part only.
const PARTS_IN_FLIGHT_PER_WRITE = 2;
const LARGE_PART_BYTES = 64 * 1024 ** 2;
const MAX_PARTS_IN_FLIGHT = 24;

/** @param writeId names this write, see completeAndVerifyUpload */
export async function writeS3Object(
  bucket: S3Bucket,
  key: string,
  source: AsyncIterable<Uint8Array>,
  options: WriteOptions,
  writeId: string,
): Promise<ByteDigest> {
  const maxBytes = Math.min(options.maxBytes ?? MAX_OBJECT_BYTES, MAX_OBJECT_BYTES);
  const bytes = new HashingChunkSource(source, { ...options, maxBytes });
  try {
    const location = bucket.location(key);
    const cutter = new PartCutter(bytes);
    const first = new PartBuffer(PART_BYTES);
    await cutter.fill(first);
    if (!(await cutter.isAtEnd())) {
      await new MultipartWriting(bucket, key, writeId, { bytes, cutter, maxBytes }, options.signal).run(
        first,
      );
      return bytes.digest();
    }
    options.signal?.throwIfAborted();
    const digest = bytes.digest();
    await putObject(bucket, location, first.bytes(), digest);
    return digest;
  } finally {
    await bytes.close();
  }
}

interface ComingBytes {
  readonly bytes: HashingChunkSource;
  readonly cutter: PartCutter;
  readonly maxBytes: number;
}

class MultipartWriting {
  readonly #bucket: S3Bucket;
  readonly #key: string;
  readonly #writeId: string;
  readonly #coming: ComingBytes;
  readonly #broken = new AbortController();
  readonly #signal: AbortSignal;
  readonly #sending = new Set<Promise<void>>();
  readonly #stored: StoredPart[] = [];
  /** Memory of parts that the store has. */
  readonly #spare: Buffer[] = [];
  #size = 0;

  constructor(
    bucket: S3Bucket,
    key: string,
    writeId: string,
    coming: ComingBytes,
    signal: AbortSignal | undefined,
  ) {
    this.#bucket = bucket;
    this.#key = key;
    this.#writeId = writeId;
    this.#coming = coming;
    this.#signal =
      signal === undefined ? this.#broken.signal : AbortSignal.any([this.#broken.signal, signal]);
  }

  async run(first: PartBuffer): Promise<void> {
    const upload = { key: this.#key, id: await beginUpload(this.#bucket, this.#key, this.#writeId) };
    try {
      await this.#sendAll(upload, first);
      this.#signal.throwIfAborted();
      const parts = this.#stored.toSorted((one, other) => one.number - other.number);
      await completeAndVerifyUpload(this.#bucket, upload, parts, {
        writeId: this.#writeId,
        size: this.#size,
      });
    } catch (error) {
      this.#broken.abort();
      await Promise.allSettled(this.#sending);
      // Where the store is out of reach, what stays is taken away as abandoned some day.
      await abortUpload(this.#bucket, upload).catch(() => {});
      throw error;
    }
  }

  async #sendAll(upload: MultipartUpload, first: PartBuffer): Promise<void> {
    const { cutter, maxBytes } = this.#coming;
    let part = first;
    for (let number = 1; ; number += 1) {
      this.#size += part.size;
      await this.#startSending(upload, number, part);
      if (await cutter.isAtEnd()) break;
      part = new PartBuffer(nextPartBytes(this.#size, maxBytes), this.#spare.pop());
      await cutter.fill(part);
    }
    await Promise.all(this.#sending);
  }

  /** Resolves when there is memory for a further part. */
  async #startSending(upload: MultipartUpload, number: number, part: PartBuffer): Promise<void> {
    this.#bucket.partsInFlight += 1;
    const sending = sendPart(this.#bucket, upload, number, part, this.#signal)
      .then((stored) => {
        this.#stored.push(stored);
        if (part.memory !== undefined) this.#spare.push(part.memory);
      })
      .catch((error) => {
        // It was silent for so long that somebody has swept it away.
        throw isMissingUpload(error) ? lostWrite(error) : error;
      })
      .finally(() => {
        this.#bucket.partsInFlight -= 1;
        this.#sending.delete(sending);
      });
    this.#sending.add(sending);
    // Also while the source is silent.
    sending.catch((error) => this.#coming.bytes.stop(error));
    while (this.#sending.size > this.#allowedInFlight(part)) await Promise.race(this.#sending);
  }

  #allowedInFlight(part: PartBuffer): number {
    if (this.#bucket.partsInFlight > MAX_PARTS_IN_FLIGHT) return 0;
    return part.capacity > LARGE_PART_BYTES ? 1 : PARTS_IN_FLIGHT_PER_WRITE;
  }
}

/** Cuts the bytes of a source into parts. */
class PartCutter {
  readonly #bytes: HashingChunkSource;
  #waiting: Uint8Array[] = [];
  #isLast = false;

  constructor(bytes: HashingChunkSource) {
    this.#bytes = bytes;
  }

  /** Until the part is full or nothing more comes. */
  async fill(part: PartBuffer): Promise<void> {
    while (!part.isFull && !(await this.isAtEnd())) {
      const [chunk, ...others] = this.#waiting;
      const rest = chunk && part.add(chunk);
      this.#waiting = rest === undefined ? others : [rest, ...others];
    }
  }

  /** Waits for the next chunk, if there is one. */
  async isAtEnd(): Promise<boolean> {
    while (this.#waiting.length === 0) {
      if (this.#isLast) return true;
      const batch = await this.#bytes.nextBatch(1);
      this.#waiting = [...batch.chunks];
      this.#isLast = batch.isLast;
    }
    return false;
  }
}
