import { ECDH } from 'node:crypto';
import { isIP } from 'node:net';
import { Failure } from '../../base/failure.ts';

/** The endpoints of today's push services have 100 to 600 characters. */
export const MAX_ENDPOINT_LENGTH = 1_024;

const CURVE = 'prime256v1';
/** An uncompressed point of the curve. */
const KEY_BYTES = 65;
const AUTH_BYTES = 16;
const BASE64URL = /^[\w-]+={0,2}$/;

/** Where a browser gets its push messages, and the keys that encrypt them. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Decides about an IP address that a user has chosen. */
export type MayReach = (address: string) => boolean;

/**
 * Checks what a browser has sent. The addresses behind a host name are checked when a connection is made.
 * @throws Failure `invalid`
 */
export function toPushTarget({ endpoint, p256dh, auth }: PushTarget, mayReach: MayReach): PushTarget {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || url.protocol !== 'https:') throw invalid('endpoint must be an https URL.');
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw invalid('endpoint must not contain a username, a password or a fragment.');
  if (!mayReachHost(url, mayReach)) throw invalid('endpoint must have a public address.');
  // The parser can make the text longer, because it escapes characters.
  if (url.href.length > MAX_ENDPOINT_LENGTH) throw invalid('endpoint is too long.');
  if (!isPublicKey(p256dh)) throw invalid('keys.p256dh must be a public key of P-256, in base64url.');
  if (!BASE64URL.test(auth) || Buffer.from(auth, 'base64url').length !== AUTH_BYTES)
    throw invalid(`keys.auth must be ${AUTH_BYTES} bytes, in base64url.`);
  return { endpoint: url.href, p256dh: p256dh.replace(/=+$/, ''), auth: auth.replace(/=+$/, '') };
}

/** False only if the host is an IP address. Node does not look such hosts up before it connects. */
export function mayReachHost({ hostname }: URL, mayReach: MayReach): boolean {
  // The parser normalises every spelling of an IPv4 address, and puts an IPv6 address in brackets.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 || mayReach(host);
}

function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  if (!BASE64URL.test(text) || bytes.length !== KEY_BYTES) return false;
  try {
    ECDH.convertKey(bytes, CURVE);
    return true;
  } catch {
    return false;
  }
}

function invalid(message: string): Failure {
  return new Failure('invalid', message);
}
