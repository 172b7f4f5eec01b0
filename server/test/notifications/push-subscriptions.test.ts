// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { isPublicAddress } from '../../src/base/network/public-address.ts';
import type { PushNetwork } from '../../src/notifications/push/push.ts';
import { asProgram, createAppPassword } from '../support/app/app-passwords.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { countWaitingStatements } from '../support/database/waiting-statements.ts';
import { startNameServer } from '../support/network/name-server.ts';
import { listNotifications } from '../support/notifications/listed.ts';
import { findDeliveries, subscribe, tell } from '../support/notifications/push.ts';
import { PushBrowser, TestPushService } from '../support/notifications/push-service.ts';

const env = { HOLDALL_PUBLIC_URL: 'https://drive.example.org' };
const service = await TestPushService.start();
const holdall = await startHoldall({ env, pushNetwork: service.network });
const { app } = holdall;

interface PushState {
  readonly publicKey: string | null;
  readonly subscriptions: number;
  readonly current: boolean;
}
const stateOf = (person: Person) => person.ask<PushState>('GET', '/api/user/push');
/** Another device of the person. */
const logInElsewhere = (person: Person, device: number) =>
  new Person(person.username, person.url).logInAt(
    `00000000-0000-4000-8000-${String(device).padStart(12, '0')}`,
  );
const rowsOf = ({ app: { database } }: Holdall) =>
  database.db.selectFrom('push_subscription').selectAll().execute();

describe('a subscription', () => {
  test('belongs to the login session, and ends with it', async () => {
    const ann = await holdall.register('ann');
    const browser = service.newBrowser('ann');
    assert.deepEqual({ ...(await stateOf(ann)), publicKey: '' }, state(0, false));
    await subscribe(ann, browser);
    await subscribe(ann, browser);
    assert.deepEqual({ ...(await stateOf(ann)), publicKey: '' }, state(1, true));
    const phone = await logInElsewhere(ann, 1);
    assert.deepEqual({ ...(await stateOf(phone)), publicKey: '' }, state(1, false));
    await subscribe(phone, service.newBrowser('ann-phone'));
    assert.deepEqual({ ...(await stateOf(ann)), publicKey: '' }, state(2, true));
    await tell(holdall, ann);
    assert.notDeepEqual(await findDeliveries(holdall, browser), []);
    await ann.ask('POST', '/api/auth/logout');
    assert.deepEqual({ ...(await stateOf(phone)), publicKey: '' }, state(1, true));
    assert.deepEqual(await findDeliveries(holdall, browser), []);
  });

  test('is deleted when the browser asks for it, and only by its account', async () => {
    const ann = await holdall.register('ann');
    const bob = await holdall.register('bob');
    const browser = service.newBrowser('deleted');
    await subscribe(ann, browser);
    const body = { endpoint: browser.endpoint };
    await bob.ask('DELETE', '/api/user/push', { body });
    assert.equal((await stateOf(ann)).subscriptions, 1);
    await ann.ask('DELETE', '/api/user/push', { body });
    await ann.ask('DELETE', '/api/user/push', { body });
    assert.equal((await stateOf(ann)).subscriptions, 0);
  });

  test('replaces that of the same session, and that of another account in the same browser', async () => {
    const ann = await holdall.register('ann');
    const bob = await holdall.register('bob');
    const browser = service.newBrowser('shared');
    await subscribe(ann, service.newBrowser('former'));
    await subscribe(ann, browser);
    assert.equal((await stateOf(ann)).subscriptions, 1);
    await tell(holdall, ann);
    await subscribe(bob, browser);
    assert.equal((await stateOf(ann)).subscriptions, 0);
    assert.deepEqual(await findDeliveries(holdall, browser), [], 'what ann was told is not sent');
  });

  test('of the browser that subscribed first ends if an account has more than 20', async () => {
    const ann = await holdall.register('ann');
    await subscribe(ann, service.newBrowser('first'));
    for (let device = 1; device <= 20; device += 1) {
      await subscribe(await logInElsewhere(ann, device), service.newBrowser(`many-${device}`));
    }
    const { subscriptions, current } = await stateOf(ann);
    assert.deepEqual({ subscriptions, current }, { subscriptions: 20, current: false });
  });

  test('is stored once if a browser subscribes several times at once', async () => {
    const ann = await holdall.register('ann');
    const bob = await holdall.register('bob');
    const browsers = [service.newBrowser('race-1'), service.newBrowser('race-2')];
    const both = [ann, bob].flatMap((person) => browsers.map((browser) => subscribe(person, browser)));
    await Promise.all(both);
    const endpoints = new Set(browsers.map(({ endpoint }) => endpoint));
    const rows = (await rowsOf(holdall)).filter(({ endpoint }) => endpoints.has(endpoint));
    assert(rows.length >= 1 && rows.length <= 2);
    for (const person of [ann, bob]) assert((await stateOf(person)).subscriptions <= 1);
  });

  test('needs a login session', async () => {
    const ann = await holdall.register('ann');
    const { password } = await createAppPassword(ann);
    const program = asProgram(ann, password);
    const body = service.newBrowser('program').subscription;
    assert.equal((await program.call('GET', '/api/user/push')).status, 403);
    assert.equal((await program.call('PUT', '/api/user/push', { body })).status, 403);
    assert.equal((await program.call('DELETE', '/api/user/push', { body })).status, 403);
  });

  test('disappears with its account', async () => {
    const admin = await holdall.admin();
    const ann = await holdall.register('ann');
    const browser = service.newBrowser('ends');
    await subscribe(ann, browser);
    await tell(holdall, ann);
    await admin.ask('DELETE', `/api/admin/users/${ann.id}`, { body: { username: ann.username } });
    await app.accountRemovalJob.settle();
    assert.deepEqual(
      (await rowsOf(holdall)).filter(({ account_id: id }) => id === ann.id),
      [],
    );
  });
});

describe('an endpoint', () => {
  test('must be an https URL with a public address', async () => {
    const open = await startHoldall({ env });
    const ann = await open.register('ann');
    const { keys } = service.newBrowser('any').subscription;
    for (const endpoint of [
      ...['http://push.example.org/x', 'ftp://push.example.org/x', 'push.example.org', '', 'https://'],
      ...['https://user@push.example.org/x', 'https://user:secret@push.example.org/x'],
      ...['https://push.example.org/x#part', `https://push.example.org/${'x'.repeat(1_024)}`],
      ...['https://127.0.0.1/x', 'https://127.1/x', 'https://0x7f000001/x', 'https://2130706433/x'],
      ...['https://0.0.0.0/x', 'https://10.0.0.1/x', 'https://192.168.1.1:8443/x', 'https://172.16.0.1/x'],
      ...['https://169.254.169.254/latest', 'https://100.64.0.1/x', 'https://[::1]/x', 'https://[fd00::1]/x'],
      ...[
        'https://[fe80::1]/x',
        'https://[::ffff:127.0.0.1]/x',
        'https://[::ffff:a00:1]/x',
        'https://[::]/x',
      ],
      ...['https://[64:ff9b::7f00:1]/x', 'https://[2002:7f00:1::]/x'],
    ]) {
      const { status } = await ann.call('PUT', '/api/user/push', { body: { endpoint, keys } });
      assert.equal(status, 400, endpoint);
    }
    for (const endpoint of [
      'https://fcm.googleapis.com/fcm/send/x:y',
      'https://1.1.1.1/x',
      'https://[2600::1]/',
    ])
      await ann.ask('PUT', '/api/user/push', { body: { endpoint, keys } });
  });

  test('is reached by its host name only if that has a public address', async () => {
    const nameServers = [await startNameServer('127.0.0.1')];
    const endpoint = `${service.origin.replace('127.0.0.1', 'localhost')}/named`;
    const sendOver = async (network: PushNetwork) => {
      const sender = await startHoldall({ env, pushNetwork: network });
      const ann = await sender.register('ann');
      const browser = new PushBrowser(endpoint);
      await subscribe(ann, browser);
      await tell(sender, ann);
      await sender.app.pushDelivery.runOnce();
      return findDeliveries(sender, browser);
    };
    const [waiting] = await sendOver({ ...service.network, mayReach: isPublicAddress, nameServers });
    assert.equal(waiting?.attempts, 1);
    assert(!service.messages.some(({ path }) => path === '/named'));
    assert.deepEqual(await sendOver({ ...service.network, nameServers }), []);
    assert(service.messages.some(({ path }) => path === '/named'));
  });

  test('needs keys with which a message can be encrypted', async () => {
    const ann = await holdall.register('ann');
    const { endpoint, keys } = service.newBrowser('keys').subscription;
    const point = Buffer.from(keys.p256dh, 'base64url');
    const offCurve = Buffer.from(point);
    offCurve[64] = (offCurve[64] ?? 0) ^ 1;
    for (const wrong of [
      { p256dh: offCurve.toString('base64url') },
      { p256dh: point.subarray(0, 33).toString('base64url') },
      { p256dh: '' },
      { p256dh: `${keys.p256dh.slice(0, -1)}!` },
      { auth: 'AAAA' },
      { auth: '' },
    ]) {
      const body = { endpoint, keys: { ...keys, ...wrong } };
      const { status } = await ann.call('PUT', '/api/user/push', { body });
      assert.equal(status, 400, JSON.stringify(wrong));
    }
  });
});

test('a notification survives the simultaneous end of a subscription', async () => {
  const ann = await holdall.register('ann');
  const browser = service.newBrowser('ending');
  await subscribe(ann, browser);
  const { database } = app;
  const [ending, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const deletion = database.transact(async (tx) => {
    await tx.deleteFrom('push_subscription').where('account_id', '=', ann.id).execute();
    ending.resolve();
    await mayEnd.promise;
  });
  await ending.promise;
  const telling = tell(holdall, ann);
  if (isPostgres)
    await waitUntil('the cause waits', async () => (await countWaitingStatements(database)) > 0);
  mayEnd.resolve();
  await deletion;
  await telling;
  assert.equal((await listNotifications(ann)).total, 1);
  assert.deepEqual(await findDeliveries(holdall, browser), []);
});

describe('web push', () => {
  test('is off without a public address, and if the operator wants it', async () => {
    for (const off of [{}, { ...env, HOLDALL_WEB_PUSH: 'off' }]) {
      const silent = await startHoldall({ env: off });
      const ann = await silent.register('ann');
      assert.deepEqual(await stateOf(ann), { publicKey: null, subscriptions: 0, current: false });
      const body = service.newBrowser('off').subscription;
      assert.equal((await ann.call('PUT', '/api/user/push', { body })).status, 400);
      await ann.ask('DELETE', '/api/user/push', { body: { endpoint: body.endpoint } });
      await tell(silent, ann);
      await silent.app.pushDelivery.runOnce();
    }
  });

  test('keeps its key over restarts, and shares it between instances', async () => {
    const ann = await holdall.register('ann');
    const second = await startHoldall({ env, beside: holdall, pushNetwork: service.network });
    const other = new Person(ann.username, second.url);
    other.login = ann.login;
    const { publicKey } = await stateOf(ann);
    assert.equal(Buffer.from(publicKey ?? '', 'base64url').length, 65);
    assert.equal((await stateOf(other)).publicKey, publicKey);
  });
});

function state(subscriptions: number, current: boolean): PushState {
  return { publicKey: '', subscriptions, current };
}
