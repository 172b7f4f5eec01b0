import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../../base/failure.ts';
import { textOf } from '../protocol/request-headers.ts';

/** A digest that the content must have. */
export interface ContentChecksum {
  readonly algorithm: 'sha256' | 'sha1' | 'md5';
  readonly digest: Buffer;
}

const DIGEST_LENGTHS = { sha256: 64, sha1: 40, md5: 32 } as const;
const MAX_LENGTH = 512;

/**
 * The header `OC-Checksum` of ownCloud's clients: `SHA1:…`, in hexadecimal digits; perhaps several, with blanks
 * between them. Algorithms that are not known are not compared.
 * @throws Failure `invalid` for a digest of a wrong length
 */
export function readChecksums(headers: IncomingHttpHeaders): readonly ContentChecksum[] {
  const text = textOf(headers, 'oc-checksum') ?? '';
  if (text.length > MAX_LENGTH) throw new Failure('invalid', 'OC-Checksum is too long.');
  return text
    .split(/\s+/)
    .filter((checksum) => checksum !== '')
    .flatMap((checksum) => {
      const [name = '', digits = ''] = checksum.split(':', 2);
      const algorithm = (['sha256', 'sha1', 'md5'] as const).find((known) => known === name.toLowerCase());
      if (algorithm === undefined) return [];
      if (digits.length !== DIGEST_LENGTHS[algorithm] || !/^[\da-f]*$/i.test(digits)) {
        throw new Failure('invalid', `OC-Checksum has no ${name} digest in hexadecimal digits.`);
      }
      return [{ algorithm, digest: Buffer.from(digits, 'hex') }];
    });
}

/** Passes the content on. Throws a Failure `invalid` at its end if it does not have one of the digests. */
export async function* checkContent(
  source: AsyncIterable<Uint8Array>,
  checksums: readonly ContentChecksum[],
): AsyncGenerator<Uint8Array> {
  const hashes = checksums.map(({ algorithm, digest }) => ({ hash: createHash(algorithm), digest }));
  for await (const chunk of source) {
    for (const { hash } of hashes) hash.update(chunk);
    yield chunk;
  }
  if (hashes.every(({ hash, digest }) => hash.digest().equals(digest))) return;
  throw new Failure('invalid', 'The content does not have the digest of OC-Checksum. It was not stored.');
}
