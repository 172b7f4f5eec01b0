import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { DAY, HOUR, type Instant, SECOND } from '../base/clock.ts';

/** What a cookie needs of a share or folder link. */
export interface CookieLink {
  readonly id: number;
  readonly token: string;
  readonly passwordHash: string | null;
}

const SHARES = '/api/v2/shares';
const FOLDER_LINKS = '/api/v2/folder-links';

const PURPOSES = {
  /**
   * Proves that a download was counted, so that further range requests of the same file are not counted
   * again.
   */
  shareDownload: {
    base: SHARES,
    prefix: 'holdall_share_',
    words: 'download of share',
    lifetimeMs: DAY,
    sameSite: 'lax',
  },
  /**
   * Proves that the password was entered, so that a browser can open the plain URL without the password in
   * it.
   */
  sharePassword: {
    base: SHARES,
    prefix: 'holdall_share_password_',
    words: 'password of share',
    lifetimeMs: HOUR,
    // A link on another site must not start a download for which the user entered a password here.
    sameSite: 'strict',
  },
  /** Proves that the password of a folder link was entered. */
  folderLinkPassword: {
    base: FOLDER_LINKS,
    prefix: 'holdall_folder_password_',
    words: 'password of folder link',
    lifetimeMs: HOUR,
    sameSite: 'strict',
  },
} as const;

/**
 * A signed cookie with an expiry, valid for the URL of one share or folder link until its password changes.
 */
export class LinkCookie {
  readonly #secret: string;
  readonly #purpose: (typeof PURPOSES)[keyof typeof PURPOSES];
  #lastUntil: Instant = 0;

  constructor(secret: string, purpose: keyof typeof PURPOSES) {
    this.#secret = secret;
    this.#purpose = PURPOSES[purpose];
  }

  /** The value of `Set-Cookie` (RFC 6265, section 4.1). */
  toSetCookie(link: CookieLink, now: Instant, isSecure: boolean): string {
    const { base, lifetimeMs, sameSite } = this.#purpose;
    // No two cookies of this instance are the same, so each can be counted by itself.
    this.#lastUntil = Math.max(now + lifetimeMs, this.#lastUntil + 1);
    const until = String(this.#lastUntil);
    return stringifySetCookie({
      name: this.#nameFor(link),
      value: `${until}.${this.#sign(link, until).toString('base64url')}`,
      path: `${base}/${link.token}`,
      maxAge: lifetimeMs / SECOND,
      httpOnly: true,
      sameSite,
      secure: isSecure,
    });
  }

  /**
   * @param header the request's `Cookie` header
   * @returns a text that identifies the valid cookie in it, however it is spelled; undefined if there is none
   */
  findValid(header: string | undefined, link: CookieLink, now: Instant): string | undefined {
    const [until = '', signature = ''] = (parseCookie(header ?? '')[this.#nameFor(link)] ?? '').split('.');
    if (!/^\d{1,16}$/.test(until) || Number(until) < now) return undefined;
    const expected = this.#sign(link, until);
    const sent = Buffer.from(signature, 'base64url');
    const isValid = sent.length === expected.length && timingSafeEqual(sent, expected);
    return isValid ? expected.toString('base64url') : undefined;
  }

  /** @param header the request's `Cookie` header */
  isValid(header: string | undefined, link: CookieLink, now: Instant): boolean {
    return this.findValid(header, link, now) !== undefined;
  }

  #nameFor({ id }: CookieLink): string {
    return this.#purpose.prefix + id;
  }

  #sign({ id, token, passwordHash }: CookieLink, until: string): Buffer {
    // The hash differs even if the same password is set again.
    const text = `${this.#purpose.words} ${id} ${token} ${until} ${passwordHash ?? ''}`;
    return createHmac('sha256', this.#secret).update(text).digest();
  }
}
