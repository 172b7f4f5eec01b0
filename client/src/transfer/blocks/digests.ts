import { sha256, toHex } from '../sha256.ts';

const DIGEST_BYTES = 32;

/**
 * The digests of the blocks of one file, and the digest of the file: the SHA-256 of its blocks' digests in
 * order. It is as strong as a digest of the bytes, and blocks that arrived before an interruption need not be
 * read again.
 */
export class FileDigests {
  readonly #digests: Uint8Array<ArrayBuffer>;
  readonly #isThere: Uint8Array;

  constructor(blockCount: number) {
    this.#digests = new Uint8Array(blockCount * DIGEST_BYTES);
    this.#isThere = new Uint8Array(blockCount);
  }

  put(block: number, digest: Uint8Array): void {
    this.#digests.set(digest, block * DIGEST_BYTES);
    this.#isThere[block] = 1;
  }

  /** The blocks that have no digest yet. */
  missing(): readonly number[] {
    return Array.from(this.#isThere.keys()).filter((block) => this.#isThere[block] === 0);
  }

  async ofWhole(): Promise<string> {
    return toHex(await sha256(this.#digests));
  }
}
