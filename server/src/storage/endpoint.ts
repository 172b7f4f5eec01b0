import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Failure } from '../base/failure.ts';
import { isForbiddenAddress } from '../base/network/forbidden-address.ts';

const MAX_ENDPOINT = 512;

/**
 * The address of a store as an admin may name it, without a slash at its end. Names are looked up only when something is
 * sent there: by {@link guardedLookup}.
 *
 * @throws Failure `invalid`
 */
export function toEndpoint(text: string): string {
  const url = text.length <= MAX_ENDPOINT && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw invalid('must be an address such as https://s3.example.org');
  }
  if (url.username !== '' || url.password !== '') throw invalid('must not have a user or a password in it');
  if (url.search !== '' || url.hash !== '') throw invalid('must not have a query or a fragment');
  // Whatever the spelling, the parser gives an IPv4 address in its usual form, and IPv6 in brackets.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0 && isForbiddenAddress(host)) throw invalid('must not be an address of that kind');
  return url.href.replace(/\/+$/, '');
}

/** Looks a name up as usual, and refuses to connect where one of its addresses must not be reached. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '');
    const forbidden = addresses.find(({ address }) => isForbiddenAddress(address));
    if (forbidden !== undefined) {
      return callback(new Error(`${hostname} is ${forbidden.address}, where no store may be reached.`), '');
    }
    if (options.all === true) return callback(null, addresses);
    const [first] = addresses;
    if (first === undefined) callback(new Error(`${hostname} has no address.`), '');
    else callback(null, first.address, first.family);
  });
};

function invalid(fault: string): Failure {
  return new Failure('invalid', `The endpoint ${fault}.`);
}
