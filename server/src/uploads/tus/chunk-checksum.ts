import { createHash, type Hash } from 'node:crypto';
import { Failure } from '../../base/failure.ts';

/** What a client may say of the bytes of one piece, by its name in the tus protocol. */
export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256', 'sha512', 'md5'] as const;

export interface ChunkChecksum {
  readonly algorithm: (typeof CHECKSUM_ALGORITHMS)[number];
  readonly digest: Buffer;
}

/** The bytes that came are not those that were meant. */
export class ChecksumMismatch extends Failure {
  constructor() {
    super('invalid', 'The bytes do not match their checksum. Nothing of this request was kept.');
    this.name = 'ChecksumMismatch';
  }
}

/** Chunks as they come, and whether they were the right ones once all have come. */
export class ChecksummedBytes implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #expected: Buffer;
  readonly #hash: Hash;

  constructor(source: AsyncIterable<Uint8Array>, { algorithm, digest }: ChunkChecksum) {
    this.#source = source;
    this.#expected = digest;
    this.#hash = createHash(algorithm);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#source) {
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  /** Call once, when all have come. @throws ChecksumMismatch */
  check(): void {
    if (!this.#hash.digest().equals(this.#expected)) throw new ChecksumMismatch();
  }
}
