// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForbiddenAddress } from './forbidden-address.ts';

for (const address of [
  '169.254.169.254',
  '169.254.0.1',
  '169.254.255.255',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '0.0.0.0',
  '0.1.2.3',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::ffff:0.0.0.0',
  '::ffff:255.255.255.255',
  '::169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::',
  '2002:a9fe:a9fe:1::5',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'fd00:ec2::254',
  'fd00:0ec2:0:0:0:0:0:254',
  'fd20:ce::254',
  'metadata.google.internal',
  '',
]) {
  test(`"${address}" is forbidden`, () => assert.equal(isForbiddenAddress(address), true));
}

for (const address of [
  '127.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '10.0.0.5',
  '172.16.3.4',
  '192.168.1.10',
  '100.64.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '52.216.1.1',
  'fd12:3456::1',
  '2001:db8::1',
  '2606:4700::1111',
  '64:ff9b::808:808',
]) {
  test(`a store may have the address ${address}`, () => assert.equal(isForbiddenAddress(address), false));
}
