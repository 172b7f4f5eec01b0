// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { DAY, MINUTE, SECOND } from '../../src/base/clock.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { findDeliveries, subscribe, tell } from '../support/notifications/push.ts';
import { readVapid, TestPushService } from '../support/notifications/push-service.ts';

const PUBLIC_URL = 'https://drive.example.org';
const service = await TestPushService.start();
const holdall = await startHoldall({
  env: { HOLDALL_PUBLIC_URL: PUBLIC_URL },
  pushNetwork: service.network,
});
const { app, clock } = holdall;
clock.stop();
const sendDue = () => app.pushDelivery.runOnce();
const countSent = async () => {
  const text = await (await holdall.anonymous.fetch('GET', '/metrics')).text();
  return Number(/holdall_pushes_total\{outcome="sent"\} (\d+)/.exec(text)?.[1] ?? 0);
};
/** Holds the results of searches for deliveries that leave out busy accounts. */
const holdSearches = (gate: Promise<void>): KyselyPlugin => {
  const held = new WeakSet<object>();
  return {
    transformQuery: ({ node, queryId }) => {
      const text = JSON.stringify(node);
      if (text.includes('"push_delivery"') && text.includes('"not in"')) held.add(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (held.has(queryId)) await gate;
      return result;
    },
  };
};
const person = async (name: string) => {
  const owner = await holdall.register(name);
  const browser = service.newBrowser(name);
  await subscribe(owner, browser);
  return { owner, browser };
};

describe('a push message', () => {
  test('is encrypted for the browser, and says what the notification says', async () => {
    const { owner, browser } = await person('ada');
    await tell(holdall, owner, 'plan.pdf');
    await sendDue();
    const [message] = service.messagesTo(browser);
    assert(message);
    const [shown] = service.shownBy(browser);
    const { items } = await owner.ask<{ items: { id: number }[] }>('GET', '/api/v2/notifications');
    assert.deepEqual(shown, {
      id: items[0]?.id,
      kind: 'TRANSFER_FETCHED',
      title: 'Your transfer was received',
      text: 'Someone with the code received “plan.pdf”.',
      url: '/transfer',
    });
    assert.equal(message.headers['content-encoding'], 'aes128gcm');
    assert.equal(message.headers.ttl, String(DAY / SECOND));
    assert.equal(message.headers.urgency, 'normal');
    const vapid = readVapid(String(message.headers.authorization));
    assert(vapid, 'the signature is right');
    const { publicKey } = await owner.ask<{ publicKey: string }>('GET', '/api/user/push');
    assert.deepEqual([vapid.aud, vapid.sub, vapid.key], [service.origin, PUBLIC_URL, publicKey]);
    assert.deepEqual(await findDeliveries(holdall, browser), [], 'it is sent once');
  });

  test('is in the language of the account, and never longer than 3 KiB', async () => {
    const { owner, browser } = await person('zhang');
    await owner.ask('PUT', '/api/user/profile', { body: { preferredLanguage: 'zh-CN' } });
    await tell(holdall, owner, `${'🙂'.repeat(600)}.pdf`);
    await sendDue();
    const [shown] = service.shownBy(browser);
    assert.equal(shown?.title, '您的快传已被接收');
    assert.match(shown.text, /^有人凭取件码接收了“🙂+…$/u);
    assert(Buffer.byteLength(JSON.stringify(shown)) <= 3 * 1024);
  });

  test('goes to every browser of the account, and to no other account', async () => {
    const { owner, browser } = await person('bea');
    const other = await person('carl');
    await tell(holdall, owner);
    await sendDue();
    assert.equal(service.messagesTo(browser).length, 1);
    assert.equal(service.messagesTo(other.browser).length, 0);
  });

  test('is not sent if the notification was read meanwhile, or is a day old', async () => {
    const { owner, browser } = await person('dora');
    await tell(holdall, owner);
    const [queued] = await findDeliveries(holdall, browser);
    await owner.ask('POST', '/api/v2/notifications/read', { body: { until: queued?.notification_id } });
    await sendDue();
    await tell(holdall, owner);
    clock.advance(DAY);
    await sendDue();
    assert.equal(service.messagesTo(browser).length, 0);
    assert.deepEqual(await findDeliveries(holdall, browser), []);
  });

  test('is not sent to a blocked account', async () => {
    const { owner, browser } = await person('emil');
    await tell(holdall, owner);
    const admin = await holdall.admin();
    await admin.ask('PATCH', `/api/admin/users/${owner.id}/status`, { body: { status: 'BANNED' } });
    await sendDue();
    assert.equal(service.messagesTo(browser).length, 0);
  });
});

describe('a push service', () => {
  test('that does not know the subscription any more ends it', async () => {
    for (const status of [404, 410]) {
      const { owner, browser } = await person(`gone-${status}`);
      service.answer = () => status;
      for (let count = 0; count < 10; count += 1) await tell(holdall, owner);
      await sendDue();
      service.answer = () => 201;
      assert(service.messagesTo(browser).length <= 2, 'the others are not tried');
      const state = await owner.ask<{ subscriptions: number }>('GET', '/api/user/push');
      assert.equal(state.subscriptions, 0);
    }
  });

  test('that fails is tried again after 1, 5, 15 and 60 minutes, and no more', async () => {
    const { owner, browser } = await person('fritz');
    service.answer = () => 500;
    await tell(holdall, owner);
    for (const delay of [1, 5, 15, 60]) {
      await sendDue();
      const [waiting] = await findDeliveries(holdall, browser);
      assert.equal(waiting?.nextAttemptAt, clock.now() + delay * MINUTE);
      const count = service.messagesTo(browser).length;
      clock.advance(delay * MINUTE - 1);
      await sendDue();
      assert.equal(service.messagesTo(browser).length, count, 'it is not tried early');
      clock.advance(1);
    }
    await sendDue();
    service.answer = () => 201;
    assert.deepEqual(await findDeliveries(holdall, browser), []);
    assert.equal(service.messagesTo(browser).length, 5);
  });

  test('that fails is not tried for each waiting message', async () => {
    const { owner, browser } = await person('greta');
    service.answer = () => 503;
    for (let count = 0; count < 10; count += 1) await tell(holdall, owner);
    await sendDue();
    service.answer = () => 201;
    assert(service.messagesTo(browser).length <= 2);
    clock.advance(MINUTE);
    await sendDue();
    assert.equal(new Set(service.shownBy(browser).map(({ id }) => id)).size, 10);
  });

  test('that rejects a message finally does not get it again', async () => {
    const { owner, browser } = await person('ivo');
    for (const status of [400, 401, 403, 413]) {
      service.answer = () => status;
      await tell(holdall, owner);
      await sendDue();
      assert.deepEqual(await findDeliveries(holdall, browser), [], String(status));
    }
    service.answer = () => 201;
  });

  test('decides when it is asked again, but not later than in an hour', async () => {
    const { owner, browser } = await person('jana');
    for (const [seconds, expected] of [
      ['1', MINUTE],
      ['600', 10 * MINUTE],
      ['999999', 60 * MINUTE],
    ] as const) {
      service.answer = () => 429;
      service.answerHeaders = { 'retry-after': seconds };
      await tell(holdall, owner);
      await sendDue();
      service.answer = () => 201;
      service.answerHeaders = {};
      const [waiting] = await findDeliveries(holdall, browser);
      assert.equal(waiting?.nextAttemptAt, clock.now() + expected);
      clock.advance(60 * MINUTE);
      await sendDue();
    }
  });

  test('gets all messages, even if attempts end while the next ones are searched', async (context) => {
    const { owner, browser } = await person('karl');
    for (let count = 0; count < 4; count += 1) await tell(holdall, owner);
    const ended = Promise.withResolvers<void>();
    const db = app.database.db.withPlugin(holdSearches(ended.promise));
    const original = app.database.db;
    Object.assign(app.database, { db });
    context.after(() => Object.assign(app.database, { db: original }));
    const sent = await countSent();
    const sending = sendDue();
    await waitUntil('two attempts have ended', async () => (await countSent()) === sent + 2);
    ended.resolve();
    await sending;
    assert.equal(service.messagesTo(browser).length, 4);
  });

  test('cannot redirect to another address', async () => {
    const { owner, browser } = await person('hanna');
    service.answer = () => 307;
    service.answerHeaders = { location: `${service.origin}/elsewhere` };
    await tell(holdall, owner);
    await sendDue();
    service.answer = () => 201;
    service.answerHeaders = {};
    assert.equal(service.messagesTo(browser).length, 1);
    assert(!service.messages.some(({ path }) => path === '/elsewhere'));
    assert.equal((await findDeliveries(holdall, browser)).length, 1);
  });

  test('that does not answer delays no message to others, and is asked twice at most', async () => {
    const slow = await person('slow');
    const quick = await person('quick');
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    service.answer = async ({ path }) => {
      if (path === '/slow') await isReleased;
      return 201;
    };
    for (let count = 0; count < 20; count += 1) await tell(holdall, slow.owner);
    await tell(holdall, quick.owner);
    const sending = sendDue();
    await service.waitForMessages(quick.browser, 1);
    await service.waitForMessages(slow.browser, 2);
    const [claimed] = await findDeliveries(holdall, slow.browser);
    assert.equal(claimed?.nextAttemptAt, clock.now() + MINUTE, 'it becomes due again after a crash');
    await tell(holdall, quick.owner);
    await service.waitForMessages(quick.browser, 2);
    assert.equal(service.messagesTo(slow.browser).length, 2);
    release();
    await sending;
    service.answer = () => 201;
    assert.equal(new Set(service.shownBy(slow.browser).map(({ id }) => id)).size, 20);
    assert.equal(service.messagesTo(slow.browser).length, 20);
  });
});

test('an instance that stops gives back what it has not sent', async () => {
  const { owner, browser } = await person('ida');
  const second = await startHoldall({
    env: { HOLDALL_PUBLIC_URL: PUBLIC_URL },
    beside: holdall,
    pushNetwork: service.network,
  });
  second.app.pushDelivery.start();
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  service.answer = async () => {
    ask();
    await isReleased;
    return 201;
  };
  await tell(second, owner);
  await isAsked;
  await second.app.close();
  release();
  service.answer = () => 201;
  assert.equal((await findDeliveries(holdall, browser))[0]?.nextAttemptAt, clock.now());
  await sendDue();
  assert.deepEqual(await findDeliveries(holdall, browser), []);
});

test('two instances send each message once', async () => {
  const people = [await person('once-1'), await person('once-2'), await person('once-3')];
  const second = await startHoldall({
    env: { HOLDALL_PUBLIC_URL: PUBLIC_URL },
    beside: holdall,
    pushNetwork: service.network,
  });
  app.pushDelivery.start();
  second.app.pushDelivery.start();
  for (const { owner } of people) for (let count = 0; count < 5; count += 1) await tell(second, owner);
  for (const { browser } of people) await service.waitForMessages(browser, 5);
  await Promise.all([app.pushDelivery.stop(), second.app.pushDelivery.stop()]);
  for (const { browser } of people) assert.equal(service.messagesTo(browser).length, 5);
});

test('metrics count the attempts by how they ended', async () => {
  const text = await (await holdall.anonymous.fetch('GET', '/metrics')).text();
  for (const outcome of ['sent', 'postponed', 'failed', 'gone'])
    assert.match(text, new RegExp(`holdall_pushes_total\\{outcome="${outcome}"\\} [1-9]`));
});
