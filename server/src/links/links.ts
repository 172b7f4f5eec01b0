import { type Instant, parseTimestamp } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';

/*
 * What shares and folder links have in common: their tokens, and the rules of their options. Passwords and
 * cookies have files of their own.
 */

export { type CookieLink, LinkCookie } from './link-cookie.ts';
export { hashLinkPassword, LinkPasswords, type LinkVisitor, passwordRequired } from './link-passwords.ts';

/** Cannot be guessed. */
export const LINK_TOKEN_BITS = 128;

/** The most shares of one account, and the most folder links. Each keeps a note or a name that nothing else limits. */
const MAX_LINKS = 2_000;

/** @throws Failure `rejected` */
export function checkLinkCount(count: number): void {
  if (count < MAX_LINKS) return;
  throw new Failure(
    'rejected',
    `You have ${MAX_LINKS} links already. Please delete one that is no longer needed.`,
  );
}

const TOKEN = /^[\w-]{22}$/;

/** A text of another form is no token, and needs no query. */
export function isLinkToken(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * Null and blank text stand for no password. Blanks around a password do not belong to it: HTTP removes them from
 * a header, and people copy them by mistake.
 */
export function toLinkPassword(text: string | null | undefined): string | null {
  return text?.trim() || null;
}

/** @param text null for never @throws Failure `invalid` for anything but a time in the future */
export function toLinkExpiry(text: string | null | undefined, now: Instant): Instant | null {
  if (text == null) return null;
  const instant = parseTimestamp(text);
  if (instant === undefined) throw new Failure('invalid', 'expiresAt must be an ISO-8601 time.');
  if (instant <= now) throw new Failure('invalid', 'expiresAt must be in the future.');
  return instant;
}

export function isLinkExpired({ expiresAt }: { readonly expiresAt: Instant | null }, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}
