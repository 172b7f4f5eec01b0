import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Failure } from '../base/failure.ts';
import { isForbiddenAddress } from '../base/network/forbidden-address.ts';

const MAX_ENDPOINT_LENGTH = 512;

/**
 * A host name that DNS allows, or one with underscores as in Docker Compose, or an IPv6 address. The URL
 * parser also accepts characters such as quotes and `;`. They must be rejected: the Content-Security-Policy
 * names the host, and they have a meaning there.
 */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/**
 * Checks a store's URL that an administrator has entered, and returns it without a trailing slash. Host names
 * are resolved later, by {@link guardedLookup}, when a connection is made.
 *
 * @throws Failure `invalid`
 */
export function toEndpoint(text: string): string {
  const url = text.length <= MAX_ENDPOINT_LENGTH && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw invalid('must be a URL such as https://s3.example.org');
  }
  if (url.username !== '' || url.password !== '') throw invalid('must not contain a username or a password');
  if (url.search !== '' || url.hash !== '') throw invalid('must not contain a query or a fragment');
  // The parser normalises every spelling of an IPv4 address, and puts an IPv6 address in brackets.
  if (!HOST.test(url.hostname)) throw invalid('must have a host name of letters, digits, dots and - or _');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0 && isForbiddenAddress(host))
    throw invalid('must not be a link-local, multicast, unspecified or metadata address');
  return url.href.replace(/\/+$/, '');
}

/** Resolves a host name for a connection, and fails if one of its addresses is forbidden for stores. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '');
    const forbidden = addresses.find(({ address }) => isForbiddenAddress(address));
    if (forbidden !== undefined) {
      return callback(
        new Error(`${hostname} resolves to ${forbidden.address}, which is not allowed for a store.`),
        '',
      );
    }
    if (options.all === true) return callback(null, addresses);
    const [first] = addresses;
    if (first === undefined) callback(new Error(`${hostname} has no IP address.`), '');
    else callback(null, first.address, first.family);
  });
};

function invalid(fault: string): Failure {
  return new Failure('invalid', `The endpoint ${fault}.`);
}
