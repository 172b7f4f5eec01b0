// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { PASSWORD } from '../support/app/person.ts';

const holdall = await startHoldall();
const alice = await holdall.register('alice');

const GOOD = {
  username: 'carol',
  email: 'carol@example.org',
  phoneNumber: '+4917012345',
  password: 'correct horse battery',
  confirmPassword: 'correct horse battery',
  inviteCode: await holdall.inviteCode(),
};

/** Tries to register. Returns the status, and the field that the rejection names. */
async function register(change: Partial<typeof GOOD>): Promise<readonly [number, string | null]> {
  const response = await fetch(new URL('/api/auth/register', holdall.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...GOOD, ...change }),
  });
  await response.arrayBuffer();
  return [response.status, response.headers.get('x-service-field')];
}

test('a rejected registration names the invalid field', async () => {
  const { email, phoneNumber } = await alice.ask<{ email: string; phoneNumber: string }>(
    'GET',
    '/api/user/profile',
  );
  assert.deepEqual(await register({ username: 'a b' }), [400, 'username']);
  assert.deepEqual(await register({ username: alice.username.toUpperCase() }), [409, 'username']);
  assert.deepEqual(await register({ email: 'nobody' }), [400, 'email']);
  assert.deepEqual(await register({ email }), [409, 'email']);
  assert.deepEqual(await register({ phoneNumber: 'call me' }), [400, 'phoneNumber']);
  assert.deepEqual(await register({ phoneNumber }), [409, 'phoneNumber']);
  assert.deepEqual(await register({ password: 'short', confirmPassword: 'short' }), [400, 'password']);
  assert.deepEqual(await register({ confirmPassword: 'another one' }), [400, 'confirmPassword']);
  assert.deepEqual(await register({ inviteCode: 'nothing' }), [400, 'inviteCode']);
});

test('a rejected password change names the invalid field', async () => {
  const change = async (body: object) => {
    const { status, headers } = await alice.fetch('POST', '/api/user/password', { body });
    return [status, headers.get('x-service-field')];
  };
  const newPassword = 'another correct battery';
  assert.deepEqual(await change({ currentPassword: 'wrong', newPassword }), [400, 'currentPassword']);
  assert.deepEqual(await change({ currentPassword: PASSWORD, newPassword: 'short' }), [400, 'newPassword']);
});

test('a request that succeeds, or is rejected for another reason, names no field', async () => {
  const anonymous = await fetch(new URL('/api/user/profile', holdall.url));
  await anonymous.arrayBuffer();
  assert.deepEqual([anonymous.status, anonymous.headers.get('x-service-field')], [401, null]);
  assert.deepEqual(await register({}), [200, null]);
});
