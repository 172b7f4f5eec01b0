import type { BlockList } from 'node:net';

/**
 * Adds an IPv4 network, also as it is embedded in IPv6 addresses: IPv4-compatible, NAT64 and 6to4. BlockList
 * itself handles IPv4-mapped addresses.
 */
export function blockIpv4(list: BlockList, network: string, bits: number): void {
  list.addSubnet(network, bits, 'ipv4');
  const hex = toHex(network);
  list.addSubnet(`::${hex}`, 96 + bits, 'ipv6');
  list.addSubnet(`64:ff9b::${hex}`, 96 + bits, 'ipv6');
  list.addSubnet(`2002:${hex}::`, 16 + bits, 'ipv6');
}

/** An IPv4 address as two groups of an IPv6 address: `169.254.0.0` becomes `a9fe:0`. */
function toHex(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
