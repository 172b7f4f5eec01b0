import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { hashPassword, verifyPassword } from '../accounts/accounts.ts';
import { DAY, HOUR, type Instant, SECOND } from '../base/clock.ts';
import { checkExpiry, toExpiry } from '../base/expiry.ts';
import { Failure } from '../base/failure.ts';
import { byAddress, type CredentialLimiter, SHARE_PASSWORDS_BY_ADDRESS } from '../limits/limits.ts';

export { LinkCreators, type LinkOrigin } from './creators.ts';
export {
  endingNotedAfter,
  endingNotedAfterRefund,
  type LinkTable,
  presentCreatorOf,
} from './ending-queries.ts';
export { expiryNotedFor, LinkEndings } from './endings.ts';
export { OwnerAvatars, toOwnerAvatarMember } from './owner-avatars.ts';

/*
 * What shares and folder links have in common: tokens, rules for options, passwords and cookies.
 */

/** Too many bits to guess. */
export const LINK_TOKEN_BITS = 128;

/**
 * The maximum number of shares in a drive, and of folder links. Without it, any number of their notes and names
 * could be stored.
 */
const MAX_LINKS = 2_000;

/** @throws Failure `rejected` */
export function checkLinkCount(count: number): void {
  if (count < MAX_LINKS) return;
  throw new Failure(
    'rejected',
    `This drive has ${MAX_LINKS} links already. Please delete one that is no longer needed.`,
  );
}

const TOKEN = /^[\w-]{22}$/;

/** Whether the text has the form of a token. Saves the query for a text that has not. */
export function isLinkToken(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * Null and blank text mean no password. Blanks around a password are not part of it: HTTP removes them from a
 * header, and people copy them by mistake.
 */
export function toLinkPassword(text: string | null | undefined): string | null {
  return text?.trim() || null;
}

/** @param text null for a link that never expires @throws Failure `invalid` for anything but a future time */
export function toLinkExpiry(text: string | null | undefined, now: Instant): Instant | null {
  const expiresAt = toExpiry(text);
  checkExpiry(expiresAt, now);
  return expiresAt;
}

/** The person who enters a password. */
export interface LinkVisitor {
  readonly address: string;
  readonly accountId: number | undefined;
}

/** Checks the passwords of shares and folder links. Guesses are limited for each link and address. */
export class LinkPasswords {
  readonly #limiter: CredentialLimiter;

  constructor(limiter: CredentialLimiter) {
    this.#limiter = limiter;
  }

  /**
   * @param visitor After too many wrong passwords from its address in a minute, even the right one is
   *   rejected.
   * @param name identifies the link among shares and folder links
   * @throws Failure `forbidden` when the password is missing or wrong; `too-many`
   */
  async check(
    { passwordHash }: { readonly passwordHash: string | null },
    name: string,
    password: string | undefined,
    visitor: LinkVisitor,
  ): Promise<void> {
    if (passwordHash === null) return;
    const trimmed = password?.trim() ?? '';
    if (password === undefined || trimmed === '') throw passwordRequired();
    // A password set before blanks were removed may still have them.
    const accepted = password === trimmed ? [trimmed] : [trimmed, password];
    await this.#limiter.attempt([byAddress(SHARE_PASSWORDS_BY_ADDRESS, visitor.address, name)], async () => {
      for (const text of accepted) if (await verifyPassword(passwordHash, text, visitor)) return;
      throw new Failure('forbidden', 'The password is wrong.');
    });
  }
}

/** @param password null or undefined for none */
export async function hashLinkPassword(
  accountId: number,
  password: string | null | undefined,
): Promise<string | null> {
  return password == null ? null : await hashPassword(password, { accountId });
}

export function passwordRequired(): Failure {
  return new Failure('forbidden', 'This link requires a password.');
}

/** The parts of a share or folder link that a cookie depends on. */
interface CookieLink {
  readonly id: number;
  readonly token: string;
  readonly passwordHash: string | null;
}

const SHARES = '/api/v2/shares';
const FOLDER_LINKS = '/api/v2/folder-links';

const PURPOSES = {
  /**
   * Proves that a download was counted, so that further range requests for the same file are not counted
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
   * Proves that the password was entered, so that a browser can open the plain URL, which has no password in
   * it.
   */
  sharePassword: {
    base: SHARES,
    prefix: 'holdall_share_password_',
    words: 'password of share',
    lifetimeMs: HOUR,
    // A link on another site must not start a download with a password that the user entered here.
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
 * A signed, expiring cookie. It is valid for the URL of one share or folder link, until the link's password
 * changes.
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
    // No two cookies of this instance are equal, so each can be counted separately.
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
   * @returns a text that identifies the valid cookie, the same for all its spellings; undefined if there is
   *   none
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
    // Even setting the same password again changes the hash, and so ends the cookie.
    const text = `${this.#purpose.words} ${id} ${token} ${until} ${passwordHash ?? ''}`;
    return createHmac('sha256', this.#secret).update(text).digest();
  }
}
