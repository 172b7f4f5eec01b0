import { createHash, timingSafeEqual } from 'node:crypto';
import { type Instant, SECOND } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';

/**
 * Signs paths the way nginx's `secure_link_md5 "$secure_link_expires$uri <secret>"` checks them, so that a
 * proxy can serve the bytes without asking us. MD5 is nginx's choice; the secret at the end is what keeps it
 * from being extended.
 */
export class UrlSigner {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The query that makes the path good until the instant, which is rounded up to whole seconds. */
  sign(path: string, until: Instant): { md5: string; expires: string } {
    const expires = String(Math.ceil(until / SECOND));
    return { md5: this.#digest(path, expires).toString('base64url'), expires };
  }

  /**
   * The same check as the proxy's, in constant time.
   * @throws Failure `forbidden` for a wrong signature, `expired` for a right one past its time
   */
  check(path: string, query: { md5?: string; expires?: string }, now: Instant): void {
    const { md5 = '', expires = '' } = query;
    const sent = Buffer.from(md5, 'base64url');
    const expected = this.#digest(path, expires);
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
      throw new Failure('forbidden', 'The signature of this address is not valid.');
    }
    if (now > Number(expires) * SECOND) throw new Failure('expired', 'This address has expired.');
  }

  #digest(path: string, expires: string): Buffer {
    return createHash('md5').update(`${expires}${path} ${this.#secret}`).digest();
  }
}
