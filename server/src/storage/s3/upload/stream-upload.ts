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

// Memory: a write fills one part while it sends two, which takes 24 MiB for objects up to 8 GiB. For larger
// objects parts grow (part-sizes.ts), and from 64 MiB on only one is sent at a time. When the bucket sends
// more than MAX_PARTS_IN_FLIGHT parts for all writes, each write waits until its part is stored before it
// fills the next one.
const PARTS_IN_FLIGHT_PER_WRITE = 2;
const LARGE_PART_BYTES = 64 * 1024 ** 2;
const MAX_PARTS_IN_FLIGHT = 24;

/**
 * Writes an object whose size is not known in advance: with one request if it fits into one part, otherwise
 * as a multipart upload.
 * @param options.writeId identifies this write, see `completeAndVerifyUpload`
 */
export async function writeS3Object(
  bucket: S3Bucket,
  key: string,
  source: AsyncIterable<Uint8Array>,
  { writeId, ...options }: WriteOptions & { readonly writeId: string },
): Promise<ByteDigest> {
  const maxBytes = Math.min(options.maxBytes ?? MAX_OBJECT_BYTES, MAX_OBJECT_BYTES);
  const bytes = new HashingChunkSource(source, { ...options, maxBytes });
  try {
    const location = bucket.location(key);
    const cutter = new PartCutter(bytes);
    const first = new PartBuffer(PART_BYTES);
    await cutter.fill(first);
    if (!(await cutter.isAtEnd())) {
      const input = { bytes, cutter, maxBytes };
      await new MultipartWrite({ bucket, key, writeId, input, signal: options.signal }).run(first);
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

interface Input {
  readonly bytes: HashingChunkSource;
  readonly cutter: PartCutter;
  readonly maxBytes: number;
}

interface MultipartWriteParts {
  readonly bucket: S3Bucket;
  readonly key: string;
  readonly writeId: string;
  readonly input: Input;
  readonly signal: AbortSignal | undefined;
}

class MultipartWrite {
  readonly #parts: MultipartWriteParts;
  readonly #failed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #sending = new Set<Promise<void>>();
  readonly #stored: StoredPart[] = [];
  /** The buffers of stored parts, for reuse. */
  readonly #spare: Buffer[] = [];
  #size = 0;

  constructor(parts: MultipartWriteParts) {
    this.#parts = parts;
    const { signal } = parts;
    this.#signal =
      signal === undefined ? this.#failed.signal : AbortSignal.any([this.#failed.signal, signal]);
  }

  async run(first: PartBuffer): Promise<void> {
    const upload = {
      key: this.#parts.key,
      id: await beginUpload(this.#parts.bucket, this.#parts.key, this.#parts.writeId),
    };
    try {
      await this.#sendAll(upload, first);
      this.#signal.throwIfAborted();
      const parts = this.#stored.toSorted((one, other) => one.number - other.number);
      await completeAndVerifyUpload(this.#parts.bucket, upload, parts, {
        writeId: this.#parts.writeId,
        size: this.#size,
      });
    } catch (error) {
      this.#failed.abort();
      await Promise.allSettled(this.#sending);
      // If this fails too, `removeAbandonedWrites` removes the upload later.
      await abortUpload(this.#parts.bucket, upload).catch(() => {});
      throw error;
    }
  }

  async #sendAll(upload: MultipartUpload, first: PartBuffer): Promise<void> {
    const { cutter, maxBytes } = this.#parts.input;
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

  /** Resolves when the memory limits allow another part. */
  async #startSending(upload: MultipartUpload, number: number, part: PartBuffer): Promise<void> {
    this.#parts.bucket.partsInFlight += 1;
    const sending = sendPart(this.#parts.bucket, upload, { number, part, signal: this.#signal })
      .then((stored) => {
        this.#stored.push(stored);
        if (part.memory !== undefined) this.#spare.push(part.memory);
      })
      .catch((error) => {
        // The upload made no progress for so long that it was removed as abandoned.
        throw isMissingUpload(error) ? lostWrite(error) : error;
      })
      .finally(() => {
        this.#parts.bucket.partsInFlight -= 1;
        this.#sending.delete(sending);
      });
    this.#sending.add(sending);
    // A failure ends the write immediately, even while the source produces nothing.
    sending.catch((error) => this.#parts.input.bytes.stop(error));
    while (this.#sending.size > this.#allowedInFlight(part)) await Promise.race(this.#sending);
  }

  #allowedInFlight(part: PartBuffer): number {
    if (this.#parts.bucket.partsInFlight > MAX_PARTS_IN_FLIGHT) return 0;
    return part.capacity > LARGE_PART_BYTES ? 1 : PARTS_IN_FLIGHT_PER_WRITE;
  }
}

/** Divides the bytes of a source into parts. */
class PartCutter {
  readonly #bytes: HashingChunkSource;
  #pending: Uint8Array[] = [];
  #isLast = false;

  constructor(bytes: HashingChunkSource) {
    this.#bytes = bytes;
  }

  /** Fills the part until it is full or the source ends. */
  async fill(part: PartBuffer): Promise<void> {
    while (!part.isFull && !(await this.isAtEnd())) {
      const [chunk, ...others] = this.#pending;
      const rest = chunk && part.add(chunk);
      this.#pending = rest === undefined ? others : [rest, ...others];
    }
  }

  /** Waits for the next chunk. Resolves with true if there is none. */
  async isAtEnd(): Promise<boolean> {
    while (this.#pending.length === 0) {
      if (this.#isLast) return true;
      const batch = await this.#bytes.nextBatch(1);
      this.#pending = [...batch.chunks];
      this.#isLast = batch.isLast;
    }
    return false;
  }
}
