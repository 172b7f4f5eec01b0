import type { IncomingHttpHeaders } from 'node:http';
import type { ExpectedDigest } from '../../base/bytes/digest-check.ts';
import { Failure } from '../../base/failure.ts';
import { textOf } from './request-headers.ts';

const DIGEST_LENGTHS = { sha256: 64, sha1: 40, md5: 32 } as const;
const MAX_LENGTH = 512;

/**
 * The header `OC-Checksum` of ownCloud's clients: `SHA1:…`, in hexadecimal digits; perhaps several, with
 * blanks between them. Algorithms that are not known are not compared.
 * @throws Failure `invalid` for a digest of a wrong length
 */
export function readChecksums(headers: IncomingHttpHeaders): readonly ExpectedDigest[] {
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
