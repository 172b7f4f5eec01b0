// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPhoneAccess, toPhoneAddress } from './phone-address.ts';

const PASSWORD = `hda_${'a1'.repeat(16)}`;

test('a phone reads the username and the app password from the scanned address', () => {
  for (const username of ['ann', 'ann.b_c-d', '安娜 & co']) {
    const address = new URL(toPhoneAddress('https://drive.example.org', { username, password: PASSWORD }));
    assert.equal(address.pathname, '/connect/phone');
    assert.equal(address.search, '');
    assert.deepEqual(readPhoneAccess(address.hash), { username, password: PASSWORD });
  }
});

test('other fragments contain no access', () => {
  for (const fragment of [
    '',
    '#user=ann',
    `#password=${PASSWORD}`,
    '#user=ann&password=secret',
    `#user=${'a'.repeat(65)}&password=${PASSWORD}`,
  ])
    assert.equal(readPhoneAccess(fragment), undefined);
});
