// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { addressKeyOf } from './address-key.ts';

test('an IPv4 address counts as itself, also when it is mapped to IPv6', () => {
  assert.equal(addressKeyOf('203.0.113.7'), '203.0.113.7');
  assert.equal(addressKeyOf('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(addressKeyOf('::FFFF:203.0.113.7'), '203.0.113.7');
});

test('an IPv6 address counts as its /64, however it is written', () => {
  const key = '2001:db8:0:1::/64';
  assert.equal(addressKeyOf('2001:db8:0:1::'), key);
  assert.equal(addressKeyOf('2001:db8:0:1::5'), key);
  assert.equal(addressKeyOf('2001:DB8:0:1:ffff:ffff:ffff:ffff'), key);
  assert.equal(addressKeyOf('2001:0db8:0000:0001:0:0:0:1'), key);
  assert.notEqual(addressKeyOf('2001:db8:0:2::5'), key);
  assert.equal(addressKeyOf('::1'), '0:0:0:0::/64');
  assert.equal(addressKeyOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
});

test('a port that a proxy adds does not count', () => {
  assert.equal(addressKeyOf('203.0.113.7:50123'), '203.0.113.7');
  assert.equal(addressKeyOf('[2001:db8:0:1::5]:50123'), '2001:db8:0:1::/64');
  assert.equal(addressKeyOf('[2001:db8:0:1::5]'), '2001:db8:0:1::/64');
});

test('all text that is not an address counts as one address', () => {
  for (const text of ['', 'unknown', 'localhost', '1.2.3', '_hidden', '1'.repeat(10_000), '[', '[]:1']) {
    assert.equal(addressKeyOf(text), 'unknown', text);
  }
});

test('two IPv6 addresses have the same key if and only if their first four groups are equal', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const halves = fc.tuple(
    fc.array(group, { minLength: 4, maxLength: 4 }),
    fc.array(group, { minLength: 4, maxLength: 4 }),
  );
  fc.assert(
    fc.property(halves, halves, fc.boolean(), ([network, host], [otherNetwork, otherHost], padded) => {
      const key = addressKeyOf(spell([...network, ...host], padded));
      assert.equal(addressKeyOf(spell([...network, ...otherHost], !padded)), key);
      const isSame = network.join() === otherNetwork.join();
      assert.equal(addressKeyOf(spell([...otherNetwork, ...host], padded)) === key, isSame);
    }),
  );
});

/** Writes an address with the first run of zeros as `::`, or with every group in full. */
function spell(groups: readonly number[], padded: boolean): string {
  if (padded) return groups.map((group) => group.toString(16).padStart(4, '0')).join(':');
  const short = groups.map((group) => group.toString(16)).join(':');
  return short.replace(/(^|:)0(?::0)+(:|$)/, '::');
}
