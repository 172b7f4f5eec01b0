// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from './public-address.ts';

test('addresses of the internet are public', () => {
  for (const address of [
    ...['1.1.1.1', '9.255.255.255', '100.63.255.255', '100.128.0.0', '172.15.0.1', '172.32.0.1'],
    ...['192.167.255.255', '192.169.0.0', '223.255.255.255'],
    ...['2600:1901:0:92a9::', '2a00:1450:4001:80b::200a', '64:ff9b::101:101', '::ffff:1.1.1.1'],
  ]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test('addresses of this machine, of local networks and of special purposes are not public', () => {
  for (const address of [
    ...['127.0.0.1', '127.255.255.255', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255'],
    ...['192.168.0.1', '169.254.169.254', '100.64.0.1', '192.0.2.1', '198.18.0.1', '203.0.113.7'],
    ...['224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::1', '::', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1'],
    ...['2001::1', '2001:db8::1', '3fff::1', '100::1', '64:ff9b:1::1', '5f00::1'],
    // The same IPv4 addresses inside IPv6 addresses.
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::127.0.0.1', '::ffff:169.254.169.254'],
    ...['64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2002:c0a8:1::1'],
    ...['', 'localhost', 'example.org', '127.1', '0x7f.1'],
  ]) {
    assert.equal(isPublicAddress(address), false, address);
  }
});
