import { BlockList, isIP } from 'node:net';

/*
 * Where no store lies, but what must not be reached by naming an address: cloud machines tell whoever asks at a link-local
 * address their credentials. Loopback and private networks are allowed: that is where people run a store of their own, and
 * who may name an address is an admin already.
 */
const FORBIDDEN = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8], // unspecified: it means this machine
  ['169.254.0.0', 16], // link-local, metadata of nearly every cloud
  ['100.100.100.200', 32], // metadata of Alibaba Cloud
  ['168.63.129.16', 32], // the host of an Azure machine
  ['192.0.0.0', 24], // protocol assignments, metadata of Oracle Cloud
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const) {
  FORBIDDEN.addSubnet(network, bits, 'ipv4');
  // The same behind the prefixes under which IPv6 carries IPv4: compatible, NAT64, 6to4. The list knows mapped ones itself.
  const hex = toHex(network);
  FORBIDDEN.addSubnet(`::${hex}`, 96 + bits, 'ipv6');
  FORBIDDEN.addSubnet(`64:ff9b::${hex}`, 96 + bits, 'ipv6');
  FORBIDDEN.addSubnet(`2002:${hex}::`, 16 + bits, 'ipv6');
}
for (const [network, bits] of [
  ['::', 128],
  ['fe80::', 10], // link-local
  ['fec0::', 10], // site-local, given up long ago
  ['ff00::', 8], // multicast
  ['fd00:ec2::', 32], // metadata of Amazon
  ['fd20:ce::', 32], // metadata of Google
] as const) {
  FORBIDDEN.addSubnet(network, bits, 'ipv6');
}
const ALLOWED = new BlockList();
ALLOWED.addAddress('::1', 'ipv6');

/** Whether nothing of ours may connect to the IP address. What is no address at all is forbidden too. */
export function isForbiddenAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  if (family === 4) return FORBIDDEN.check(address, 'ipv4');
  return FORBIDDEN.check(address, 'ipv6') && !ALLOWED.check(address, 'ipv6');
}

/** `169.254.0.0` as the last two groups of an IPv6 address: `a9fe:0`. */
function toHex(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
