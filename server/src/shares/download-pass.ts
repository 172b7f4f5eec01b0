import { createHmac, timingSafeEqual } from 'node:crypto';
import { DAY, type Instant, SECOND } from '../base/clock.ts';

const GOOD_FOR_MS = DAY;

/**
 * Lets a download that has been counted go on in further requests (contract, section 5): a cookie for that share's
 * address alone, signed, so that nobody makes one, and good for a day.
 */
export class DownloadPass {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The value of `Set-Cookie` (RFC 6265, section 4.1). */
  toSetCookie(share: { id: number; token: string }, now: Instant, isSecure: boolean): string {
    const until = String(now + GOOD_FOR_MS);
    return [
      `${nameOf(share.id)}=${until}.${this.#sign(share, until).toString('base64url')}`,
      `Path=/api/v2/shares/${share.token}`,
      `Max-Age=${GOOD_FOR_MS / SECOND}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(isSecure ? ['Secure'] : []),
    ].join('; ');
  }

  /** Whether the request's `Cookie` header has a good one for the share. */
  isGood(header: string | undefined, share: { id: number; token: string }, now: Instant): boolean {
    const [until = '', signature = ''] = (findCookie(header ?? '', nameOf(share.id)) ?? '').split('.');
    if (!/^\d{1,16}$/.test(until) || Number(until) < now) return false;
    const expected = this.#sign(share, until);
    const sent = Buffer.from(signature, 'base64url');
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  }

  #sign({ id, token }: { id: number; token: string }, until: string): Buffer {
    return createHmac('sha256', this.#secret).update(`download of share ${id} ${token} ${until}`).digest();
  }
}

function nameOf(shareId: number): string {
  return `holdall_share_${shareId}`;
}

function findCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const [key = '', value = ''] = pair.split('=', 2);
    if (key.trim() === name) return value.trim();
  }
  return undefined;
}
