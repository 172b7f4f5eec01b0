import { sha256 as sha256WithoutBrowser } from '@noble/hashes/sha2.js';

const DIGEST_BYTES = 32;

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  // Browsers provide `crypto.subtle` only to pages with TLS, although its type does not say so.
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  return new Uint8Array(
    subtle === undefined ? sha256WithoutBrowser(bytes) : await subtle.digest('SHA-256', bytes),
  );
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

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
