import { isIPv4, isIPv6 } from 'node:net';

/** Long enough for every address with a zone and a port. */
const MAX_ADDRESS_LENGTH = 100;

/**
 * The part of an address that limits count by: an IPv4 address, or the /64 of an IPv6 address, because one
 * household or server has a whole /64. IPv4-mapped IPv6 addresses count as IPv4.
 *
 * A proxy may forward text that is not an address, and clients can choose it if the proxies are
 * misconfigured. All such text counts as one address, so that no one escapes the limits by inventing
 * addresses.
 */
export function addressKeyOf(text: string): string {
  if (text.length > MAX_ADDRESS_LENGTH) return 'unknown';
  // First, because every request comes here and most addresses are of this form.
  if (isIPv4(text)) return text;
  const address = withoutPort(text);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return 'unknown';
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** Some proxies forward `203.0.113.7:50123` or `[2001:db8::5]:50123`. */
function withoutPort(text: string): string {
  return /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text;
}

/** The eight groups of an IPv6 address without leading zeros; `::` stands for the missing zero groups. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}
