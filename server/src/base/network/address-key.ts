import { isIPv6 } from 'node:net';

/**
 * What counts as one address for limits: an IPv4 address, or the /64 of an IPv6 address, since one household or
 * server has all of a /64. IPv4 addresses in IPv6 form count as IPv4.
 */
export function addressKeyOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** The eight groups without leading zeros; a `::` stands for as many zero groups as are missing. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}
