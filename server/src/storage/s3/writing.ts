import type { ByteDigest } from '../../base/bytes/byte-streams.ts';
import { ByteSource } from '../byte-source.ts';
import type { MultipartUpload } from '../direct-transfers.ts';
import type { WriteOptions } from '../object-store.ts';
import type { S3Bucket } from './bucket.ts';
import {
  abortUpload,
  beginUpload,
  completeMarkedUpload,
  isMissingUpload,
  lostWrite,
  putObject,
  type StoredPart,
  sendPart,
} from './multipart.ts';
import { S3Part } from './part.ts';
import { S3PartCutter } from './part-cutter.ts';
import { MAX_OBJECT_BYTES, nextPartBytes, PART_BYTES } from './part-sizes.ts';

// Memory: a write fills one part while two are on their way, 24 MiB in all up to objects of 8 GiB; beyond, parts grow
// (s3-part-sizes.ts), and from 64 MiB on one is on its way. When many write at once, each has one part only.
const PARTS_ON_THEIR_WAY = 2;
const LARGE_PART_BYTES = 64 * 1024 ** 2;
const MOST_PARTS_ON_THEIR_WAY = 24;

/** @param mark names this write, see completeMarkedUpload */
export async function writeS3Object(
  bucket: S3Bucket,
  key: string,
  source: AsyncIterable<Uint8Array>,
  options: WriteOptions,
  mark: string,
): Promise<ByteDigest> {
  const maxBytes = Math.min(options.maxBytes ?? MAX_OBJECT_BYTES, MAX_OBJECT_BYTES);
  const bytes = new ByteSource(source, { ...options, maxBytes });
  try {
    const place = bucket.place(key);
    const cutter = new S3PartCutter(bytes);
    const first = new S3Part(PART_BYTES);
    await cutter.fill(first);
    if (!(await cutter.isAtEnd())) {
      await new MultipartWriting(bucket, key, mark, { bytes, cutter, maxBytes }, options.signal).run(first);
      return bytes.digest();
    }
    options.signal?.throwIfAborted();
    const digest = bytes.digest();
    await putObject(bucket, place, first.bytes(), digest);
    return digest;
  } finally {
    await bytes.close();
  }
}

interface ComingBytes {
  readonly bytes: ByteSource;
  readonly cutter: S3PartCutter;
  readonly maxBytes: number;
}

class MultipartWriting {
  readonly #bucket: S3Bucket;
  readonly #key: string;
  readonly #mark: string;
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
    mark: string,
    coming: ComingBytes,
    signal: AbortSignal | undefined,
  ) {
    this.#bucket = bucket;
    this.#key = key;
    this.#mark = mark;
    this.#coming = coming;
    this.#signal =
      signal === undefined ? this.#broken.signal : AbortSignal.any([this.#broken.signal, signal]);
  }

  async run(first: S3Part): Promise<void> {
    const upload = { key: this.#key, id: await beginUpload(this.#bucket, this.#key, this.#mark) };
    try {
      await this.#sendAll(upload, first);
      this.#signal.throwIfAborted();
      const parts = this.#stored.toSorted((one, other) => one.number - other.number);
      await completeMarkedUpload(this.#bucket, upload, parts, { mark: this.#mark, size: this.#size });
    } catch (error) {
      this.#broken.abort();
      await Promise.allSettled(this.#sending);
      // Where the store is out of reach, what stays is taken away as abandoned some day.
      await abortUpload(this.#bucket, upload).catch(() => {});
      throw error;
    }
  }

  async #sendAll(upload: MultipartUpload, first: S3Part): Promise<void> {
    const { cutter, maxBytes } = this.#coming;
    let part = first;
    for (let number = 1; ; number += 1) {
      this.#size += part.size;
      await this.#startSending(upload, number, part);
      if (await cutter.isAtEnd()) break;
      part = new S3Part(nextPartBytes(this.#size, maxBytes), this.#spare.pop());
      await cutter.fill(part);
    }
    await Promise.all(this.#sending);
  }

  /** Resolves when there is memory for a further part. */
  async #startSending(upload: MultipartUpload, number: number, part: S3Part): Promise<void> {
    this.#bucket.partsOnTheirWay += 1;
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
        this.#bucket.partsOnTheirWay -= 1;
        this.#sending.delete(sending);
      });
    this.#sending.add(sending);
    // Also while the source is silent.
    sending.catch((error) => this.#coming.bytes.stop(error));
    while (this.#sending.size > this.#allowedOnTheirWay(part)) await Promise.race(this.#sending);
  }

  #allowedOnTheirWay(part: S3Part): number {
    if (this.#bucket.partsOnTheirWay > MOST_PARTS_ON_THEIR_WAY) return 0;
    return part.capacity > LARGE_PART_BYTES ? 1 : PARTS_ON_THEIR_WAY;
  }
}
