import { isIP } from 'node:net';

/** How long a person may take for the dialogs of the browser and the authenticator. */
export const CEREMONY_MS = 300_000;

/** The service that passkeys are created for (WebAuthn's relying party). */
export interface RelyingParty {
  /** A host name. Passkeys work on this host only. */
  readonly id: string;
  /** The only origin whose pages may use the passkeys. */
  readonly origin: string;
}

/**
 * The relying party of a service at this address; undefined if browsers cannot use passkeys there: at an IP
 * address, or without TLS, except on this machine. A loopback address counts as `localhost`, which browsers
 * allow.
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
