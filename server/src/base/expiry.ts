import { type Instant, parseTimestamp } from './clock.ts';
import { Failure } from './failure.ts';

/**
 * Reads the member `expiresAt` of a request.
 * @param text null or undefined for something that never expires
 * @throws Failure `invalid` if it is no timestamp
 */
export function toExpiry(text: string | null | undefined): Instant | null {
  if (text == null) return null;
  const instant = parseTimestamp(text);
  if (instant === undefined) throw new Failure('invalid', 'expiresAt must be an ISO-8601 time.');
  return instant;
}

/** @throws Failure `invalid` if the requested expiry is not in the future */
export function checkExpiry(expiresAt: Instant | null, now: Instant): void {
  if (isExpired(expiresAt, now)) throw new Failure('invalid', 'expiresAt must be in the future.');
}

/** @param expiresAt null for something that never expires */
export function isExpired(expiresAt: Instant | null, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}
