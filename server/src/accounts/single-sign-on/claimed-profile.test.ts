// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toClaimedProfile, withNumber } from './claimed-profile.ts';

const usernameOf = (claims: Record<string, unknown>) => toClaimedProfile(claims).username;

test('the username is the one at the provider, as far as it is valid', () => {
  assert.equal(usernameOf({ preferred_username: 'ann.b-c_9' }), 'ann.b-c_9');
  assert.equal(usernameOf({ preferred_username: 'ann@example.org' }), 'ann');
  assert.equal(usernameOf({ preferred_username: 'Zoë Müller' }), 'Zoe-Muller');
  assert.equal(usernameOf({ preferred_username: 'al' }), 'user-al');
  assert.equal(usernameOf({ preferred_username: 'a'.repeat(100) }), 'a'.repeat(64));
});

test('without a username at the provider, another claim is used', () => {
  assert.equal(usernameOf({ nickname: 'annie', email: 'ann@example.org' }), 'annie');
  assert.equal(usernameOf({ email: 'ann@example.org' }), 'ann');
  assert.equal(usernameOf({ preferred_username: '王芳', email: 'fang@example.org' }), 'fang');
  assert.equal(usernameOf({ name: 'Ann Lee' }), 'Ann-Lee');
  assert.equal(usernameOf({}), 'user');
  assert.equal(usernameOf({ preferred_username: 5, email: ['a'], name: 'x'.repeat(2_000) }), 'user');
});

test('a name and an address are used if valid, and the address is verified only if the provider says so', () => {
  const claims = { name: ' Ann Lee ', email: 'Ann@example.org' };
  assert.deepEqual(toClaimedProfile(claims), {
    username: 'Ann',
    displayName: 'Ann Lee',
    email: 'Ann@example.org',
    isEmailVerified: false,
  });
  assert.equal(toClaimedProfile({ ...claims, email_verified: true }).email, 'Ann@example.org');
  // Some providers send a text instead of a boolean.
  for (const no of [false, 'false', 'False']) {
    assert.equal(toClaimedProfile({ ...claims, email_verified: no }).email, null);
  }
  assert.equal(toClaimedProfile({ ...claims, email_verified: 'true' }).email, 'Ann@example.org');
  for (const yes of [true, 'true', 'True']) {
    assert.equal(toClaimedProfile({ ...claims, email_verified: yes }).isEmailVerified, true);
  }
  for (const other of [undefined, null, 1, 'yes', {}]) {
    assert.equal(toClaimedProfile({ ...claims, email_verified: other }).isEmailVerified, false);
  }
  assert.equal(toClaimedProfile({ email: 'no address' }).email, null);
  assert.equal(toClaimedProfile({ name: 'a\u0000b' }).displayName, undefined);
});

test('appending a number never makes a username too long', () => {
  assert.equal(withNumber('ann', 1), 'ann');
  assert.equal(withNumber('ann', 2), 'ann2');
  assert.equal(withNumber('a'.repeat(64), 12), `${'a'.repeat(62)}12`);
});
