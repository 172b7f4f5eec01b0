import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Instant, SECOND } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';

/**
 * Signs paths for nginx's `secure_link_md5 "$secure_link_expires$uri <secret>"`, so that a proxy can serve
 * the bytes without a request to this server. nginx supports only MD5. The secret is at the end, which
 * prevents length extension.
 */
export class UrlSigner {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The query parameters that sign the path until the instant, rounded up to whole seconds. */
  sign(path: string, until: Instant): { md5: string; expires: string } {
    const expires = String(Math.ceil(until / SECOND));
    return { md5: this.#digest(path, expires).toString('base64url'), expires };
  }

  /**
   * Makes the same check as nginx, in constant time.
   * @throws Failure `forbidden` for a wrong signature, `expired` for a valid one that has expired
   */
  check(path: string, query: { md5?: string; expires?: string }, now: Instant): void {
    const { md5 = '', expires = '' } = query;
    const sent = Buffer.from(md5, 'base64url');
    const expected = this.#digest(path, expires);
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
      throw new Failure('forbidden', 'The signature of this URL is not valid.');
    }
    if (now > Number(expires) * SECOND) throw new Failure('expired', 'This URL has expired.');
  }

  /** Signs the file name under which a client saves the bytes of a signed path. */
  signName(path: string, expires: string, name: string): string {
    return this.#digestName(path, expires, name).toString('base64url');
  }

  /** The signed name; undefined if there is none, or its signature is wrong. */
  findName(
    path: string,
    query: { expires?: string; filename?: string; signature?: string },
  ): string | undefined {
    const { expires = '', filename, signature = '' } = query;
    if (filename === undefined) return undefined;
    const sent = Buffer.from(signature, 'base64url');
    const expected = this.#digestName(path, expires, filename);
    return sent.length === expected.length && timingSafeEqual(sent, expected) ? filename : undefined;
  }

  #digestName(path: string, expires: string, name: string): Buffer {
    return createHmac('sha256', this.#secret).update(`${expires}${path}\n${name}`).digest();
  }

  #digest(path: string, expires: string): Buffer {
    return createHash('md5').update(`${expires}${path} ${this.#secret}`).digest();
  }
}
