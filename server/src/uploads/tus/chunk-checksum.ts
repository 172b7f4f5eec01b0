import { createHash, type Hash } from 'node:crypto';
import { ProtocolError } from '../../http/errors/protocol-error.ts';

/** The algorithms that a client may use, by their names in the tus protocol. */
export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256', 'sha512', 'md5'] as const;

export interface ChunkChecksum {
  readonly algorithm: (typeof CHECKSUM_ALGORITHMS)[number];
  readonly digest: Buffer;
}

/** Passes on chunks and hashes them, to compare the result with the client's checksum. */
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

  /**
   * Call once, after the last chunk.
   * @throws ProtocolError 460, the checksum extension's own status for a mismatch
   */
  check(): void {
    if (this.#hash.digest().equals(this.#expected)) return;
    throw new ProtocolError(
      460,
      'The bytes do not match their checksum. Nothing of this request was stored.',
    );
  }
}
