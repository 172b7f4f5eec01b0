// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { passwordQueue } from '../../src/accounts/passwords/passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { PASSWORD, type Person } from '../support/app/person.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
const file = await ann.upload('/shared.txt', 'text');

const share = (person: Person) =>
  person.call('POST', '/api/v2/shares', { body: { fileId: file.id, password: 'of the share' } });

test('while a member floods share passwords, everybody else is served, and the member gets 429', async () => {
  // Replaces the member's first slow hash, so that the test decides when it ends.
  const { promise: flood, resolve: endFlood } = Promise.withResolvers<void>();
  const slow = passwordQueue.run({ accountId: ann.id }, () => flood);
  const shares = Array.from({ length: 100 }, () => share(ann));
  await waitUntil('all places of the queue are taken', () => passwordQueue.waitingCount === 100);

  const refused = await share(ann);
  assert.deepEqual([refused.status, refused.code], [429, 2429]);
  assert(Number(refused.headers.get('retry-after')) >= 1);
  await bob.logIn(PASSWORD);
  await holdall.register('carl');
  await ann.logIn(PASSWORD);
  assert.equal(passwordQueue.waitingCount, 100, 'none of them waited behind the flood');

  endFlood();
  await slow;
  assert.deepEqual(new Set((await Promise.all(shares)).map(({ status }) => status)), new Set([200]));
});

test('a login is served before guesses at share passwords from the same address', async () => {
  const { token } = (await share(ann)).data as { token: string };
  const { promise: flood, resolve: endFlood } = Promise.withResolvers<void>();
  const slow = passwordQueue.run({ address: '127.0.0.1' }, () => flood);
  const guesses = Array.from({ length: 100 }, () =>
    holdall.anonymous.call('POST', `/api/v2/shares/${token}/verify-password`, { body: { password: 'x' } }),
  );
  await waitUntil('all places of the queue are taken', () => passwordQueue.waitingCount === 100);
  const login = bob.logIn(PASSWORD);
  const first = await Promise.race(guesses);
  assert.equal(first.status, 429, 'the last guess makes room for the login');
  endFlood();
  await Promise.all([slow, login]);
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 403).length, 99);
});
