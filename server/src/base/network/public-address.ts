import { BlockList, isIP } from 'node:net';
import { blockIpv4 } from './block-ipv4.ts';
import { isForbiddenAddress } from './forbidden-address.ts';

/** Addresses that only this machine or a local network can reach, besides the forbidden ones. */
const LOCAL = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by the customers of a provider
  ['127.0.0.0', 8], // loopback
  ['172.16.0.0', 12], // private
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
] as const) {
  blockIpv4(LOCAL, network, bits);
}
/** The addresses of the internet: global unicast, and those that NAT64 makes from public IPv4 addresses. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
GLOBAL.addSubnet('64:ff9b::', 96, 'ipv6');
GLOBAL.addSubnet('::ffff:0:0', 96, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23], // protocol assignments such as Teredo, which contains an IPv4 address
  ['2001:db8::', 32], // documentation
  ['3fff::', 20], // documentation
] as const) {
  LOCAL.addSubnet(network, bits, 'ipv6');
}

/**
 * Whether the address belongs to the internet, and to no local network or special purpose. For addresses that
 * users choose. Text that is not an IP address is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isForbiddenAddress(address)) return false;
  if (isIP(address) === 4) return !LOCAL.check(address, 'ipv4');
  return GLOBAL.check(address, 'ipv6') && !LOCAL.check(address, 'ipv6');
}
