import { createHash, type Hash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Failure } from './failure.ts';

/** What is known of bytes once all of them have passed. */
export interface ByteDigest {
  readonly size: number;
  /** SHA-256, 64 lower-case hex digits. */
  readonly sha256: string;
  /** CRC-32 as in ZIP (ISO 3309), unsigned. */
  readonly crc32: number;
}

/** Takes size, SHA-256 and CRC-32 of bytes that pass it, chunk by chunk. */
export class ByteCounter {
  #size = 0;
  #crc32 = 0;
  readonly #hash: Hash = createHash('sha256');

  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    this.#crc32 = crc32(chunk, this.#crc32);
    this.#hash.update(chunk);
  }

  get size(): number {
    return this.#size;
  }

  /** Ends the count; call once. */
  digest(): ByteDigest {
    return { size: this.#size, sha256: this.#hash.digest('hex'), crc32: this.#crc32 };
  }
}

/**
 * Lets at most `maxBytes` pass and then fails with `over-limit`, so that a caller who announced nothing is
 * stopped while the bytes flow.
 */
export class ByteLimit extends Transform {
  #left: number;
  readonly #message: string;

  constructor(maxBytes: number, message: string) {
    super();
    this.#left = maxBytes;
    this.#message = message;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#left -= chunk.byteLength;
    if (this.#left < 0) done(new Failure('over-limit', this.#message));
    else done(null, chunk);
  }
}
