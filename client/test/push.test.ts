// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { PushBrowser } from '../../server/test/support/notifications/push-service.ts';
import { logInNewUser } from './logged-in.ts';

test('a browser subscribes to push messages, and ends its subscription', async () => {
  const service = await startHoldall({ env: { HOLDALL_PUBLIC_URL: 'https://drive.example.org' } });
  const { holdall } = await logInNewUser(service);
  const { subscription, endpoint } = new PushBrowser('https://push.example.org/send/1');
  await holdall.account.subscribeToPush(subscription);
  const { publicKey, subscriptions, current } = await holdall.account.push();
  assert.equal(Buffer.from(publicKey ?? '', 'base64url').length, 65);
  assert.deepEqual([subscriptions, current], [1, true]);
  await holdall.account.unsubscribeFromPush(endpoint);
  assert.deepEqual(await holdall.account.push(), { publicKey, subscriptions: 0, current: false });
});
