import { BlockList, isIP } from 'node:net';
import { blockIpv4 } from './block-ipv4.ts';

/*
 * Addresses that no object store has and that must not be reached through a configured endpoint. The metadata
 * services of cloud providers, for example, give the machine's credentials to every local caller. Loopback
 * and private networks are allowed: people run their own stores there, and only admins can configure an
 * endpoint.
 */
const FORBIDDEN = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8], // unspecified: this machine
  ['169.254.0.0', 16], // link-local, metadata of nearly every cloud
  ['100.100.100.200', 32], // metadata of Alibaba Cloud
  ['168.63.129.16', 32], // the host of an Azure machine
  ['192.0.0.0', 24], // protocol assignments, metadata of Oracle Cloud
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const) {
  blockIpv4(FORBIDDEN, network, bits);
}
for (const [network, bits] of [
  ['::', 128],
  ['fe80::', 10], // link-local
  ['fec0::', 10], // site-local (deprecated)
  ['ff00::', 8], // multicast
  ['fd00:ec2::', 32], // metadata of Amazon
  ['fd20:ce::', 32], // metadata of Google
] as const) {
  FORBIDDEN.addSubnet(network, bits, 'ipv6');
}
const ALLOWED = new BlockList();
ALLOWED.addAddress('::1', 'ipv6');

/**
 * Whether the server must not connect to the address. Text that is not an IP address is forbidden as well.
 */
export function isForbiddenAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  if (family === 4) return FORBIDDEN.check(address, 'ipv4');
  return FORBIDDEN.check(address, 'ipv6') && !ALLOWED.check(address, 'ipv6');
}
