import { isIP } from 'node:net';

/** How long a person has for the dialogs of browser and authenticator. */
export const CEREMONY_MS = 300_000;

/** Whom passkeys are made for (WebAuthn's relying party). */
export interface RelyingParty {
  /** A host name. Passkeys work on it and on no other. */
  readonly id: string;
  /** The only origin whose pages may use them. */
  readonly origin: string;
}

/**
 * The relying party of a service at this address; undefined where browsers have no passkeys: at an IP address, or
 * without TLS, except on this machine. A loopback address counts as `localhost`, which browsers allow.
 * @param baseUrl the address that people use
 */
export function findRelyingParty(baseUrl: string): RelyingParty | undefined {
  const url = new URL(baseUrl);
  if (isLoopbackAddress(url.hostname)) url.hostname = 'localhost';
  const { hostname, origin, protocol } = url;
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return undefined;
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure ? { id: hostname, origin } : undefined;
}

function isLoopbackAddress(hostname: string): boolean {
  return hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}
