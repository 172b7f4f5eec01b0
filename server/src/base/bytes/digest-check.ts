import { createHash } from 'node:crypto';

/** A digest that bytes must have. */
export interface ExpectedDigest {
  readonly algorithm: 'sha256' | 'sha1' | 'md5';
  readonly digest: Buffer;
}

/**
 * Passes on the chunks, and compares the digests of all bytes after the last chunk.
 * @throws the error from `toError`, after the last chunk, if a digest differs
 */
export async function* checkDigests(
  source: AsyncIterable<Uint8Array>,
  expected: readonly ExpectedDigest[],
  toError: () => Error,
): AsyncGenerator<Uint8Array> {
  const hashes = expected.map(({ algorithm, digest }) => ({ hash: createHash(algorithm), digest }));
  for await (const chunk of source) {
    for (const { hash } of hashes) hash.update(chunk);
    yield chunk;
  }
  if (!hashes.every(({ hash, digest }) => hash.digest().equals(digest))) throw toError();
}
