// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { createAppPassword } from '../support/app/app-passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { countStatuses } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { EventReader } from '../support/events/event-reader.ts';
import { DeviceReader, listDevices, offerUrl } from '../support/transfer/device-reader.ts';
import { join, ONE_FILE, openOnline, Peer, TRANSFERS } from '../support/transfer/transfer.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const UNKNOWN = { body: { session: 'unknown' } };

const env = { HOLDALL_RATE_LIMITS: 'off' };
const one = await startHoldall({ env });
const another = isPostgres ? await startHoldall({ beside: one, env }) : one;

const opened: DeviceReader[] = [];
after(() => {
  for (const device of opened) device.close();
});

/** A client of the same login at the other instance, which on SQLite is the same. */
function atOtherInstance(person: Person): Person {
  const client = new Person(person.username, another.url);
  client.login = person.login;
  return client;
}

async function openDevice(person: Person, headers?: Readonly<Record<string, string>>): Promise<DeviceReader> {
  const device = await DeviceReader.open(person, headers);
  opened.push(device);
  return device;
}

/** Another login of the same account, with a stream at the other instance. */
async function openPhone(person: Person): Promise<DeviceReader> {
  const phone = await person.with(undefined).logInAt(randomUUID(), 'mobile');
  return openDevice(atOtherInstance(phone));
}

async function openBoth(name: string) {
  const laptop = await openDevice(await one.register(name));
  return { laptop, phone: await openPhone(laptop.person) };
}

async function idOf(person: Person): Promise<string> {
  const own = (await listDevices(person)).find(({ current }) => current);
  assert.ok(own);
  return own.id;
}

const isPresent = async (person: Person, id: string) =>
  (await listDevices(person)).find((session) => session.id === id)?.here;

const untilHere = (person: Person, id: string, expected: boolean) =>
  waitUntil(
    `the device is ${expected ? 'present' : 'absent'}`,
    async () => (await isPresent(person, id)) === expected,
  );

const offer = (device: DeviceReader, session: { sessionId: string }, to: string) =>
  device.person.call('POST', offerUrl(session), { body: { session: to } });

describe('a device', () => {
  test('is present while it has a stream that asks for devices, and the others are notified of both changes', async () => {
    const ann = await one.register('ann');
    const laptop = await openDevice(ann);
    const told = laptop.messages.length;
    const phone = await openPhone(ann);
    await laptop.until(() => laptop.messages.length > told);
    assert.equal(await isPresent(ann, phone.id), true);
    const toldAgain = laptop.messages.length;
    phone.close();
    await laptop.until(() => laptop.messages.length > toldAgain);
    await untilHere(ann, phone.id, false);
    assert.equal(await isPresent(ann, laptop.id), true);
  });

  test('is not present with a stream that does not ask, or with an app password', async () => {
    const ann = await one.register('ann');
    const readers = [await EventReader.open(ann)];
    const { password } = await createAppPassword(ann);
    const headers = { authorization: `Bearer ${password}` };
    readers.push(await EventReader.open(one.anonymous, { query: { devices: 'true' }, headers }));
    await ann.mkdir('/seen');
    for (const reader of readers) {
      await reader.until(() => reader.messages.some(({ data }) => data.toPath === '/seen'));
      assert.ok(reader.messages.every(({ event }) => event !== 'DEVICES'));
      reader.close();
    }
    assert.deepEqual(
      (await listDevices(ann)).map(({ here }) => here),
      [false],
    );
  });

  test('is not present after another login has taken its place', async () => {
    const ann = await one.register('ann');
    const device = randomUUID();
    const phone = await openDevice(await ann.with(undefined).logInAt(device));
    const next = await ann.with(undefined).logInAt(device);
    assert.equal(await isPresent(ann, await idOf(next)), false);
    assert.equal(await isPresent(ann, phone.id), undefined);
  });
});

describe('a device', inFull, () => {
  /** Waits until no message has come for longer than the service waits between two. Returns their number. */
  async function untilQuiet(device: DeviceReader): Promise<number> {
    for (;;) {
      const count = device.messages.length;
      await sleep(1_200);
      if (device.messages.length === count) return count;
    }
  }

  test('stays present while its stream is reopened, and the others are not notified', async () => {
    const { laptop, phone } = await openBoth('ann');
    const told = await untilQuiet(laptop);
    phone.close();
    const again = await openDevice(phone.person);
    assert.equal(await isPresent(laptop.person, phone.id), true);
    // A later message has arrived, so any earlier one would have arrived before it.
    const made = await openOnline(phone.person);
    await offer(again, made, laptop.id);
    await laptop.until(() => laptop.offers.length === 1);
    assert.equal(laptop.messages.length, told + 1);
    assert.equal(await isPresent(laptop.person, phone.id), true);
  });

  test('gets many changes at the same time in one message', async () => {
    const ann = await one.register('ann');
    const laptop = await openDevice(ann);
    const told = laptop.messages.length;
    const { database, accounts } = one.app;
    const key = accounts.sessions.presence.keyOf(ann.id);
    const startMs = performance.now();
    for (let count = 0; count < 100; count += 1) {
      await database.transact((tx) => database.notifyOnCommit(tx, key));
    }
    const made = await openOnline(ann);
    await offer(laptop, made, laptop.id);
    const phone = await openPhone(ann);
    await laptop.until(() => laptop.messages.length > told);
    assert.equal(await isPresent(ann, phone.id), true);
    const halfSeconds = (performance.now() - startMs) / 500;
    assert.ok(laptop.messages.length - told <= halfSeconds + 2, `${laptop.messages.length - told} messages`);
  });

  test('with two streams is present until both have closed', async () => {
    const ann = await one.register('ann');
    const first = await openDevice(ann);
    const second = await openDevice(atOtherInstance(ann));
    second.close();
    await first.until(() => first.messages.length > 2);
    await untilHere(ann, first.id, true);
    first.close();
    await untilHere(ann, first.id, false);
  });

  test('whose instance has crashed is present for three minutes more', async () => {
    const { laptop, phone } = await openBoth('ann');
    await Promise.all([untilQuiet(laptop), untilQuiet(phone)]);
    const { clock } = one;
    // The stream itself renews it by a timer that the test clock does not move.
    clock.advance(170_000);
    assert.equal(await isPresent(laptop.person, phone.id), true);
    clock.advance(11_000);
    assert.equal(await isPresent(laptop.person, phone.id), false);
  });
});

describe('an offer', () => {
  test('reaches the device with all that it needs to join, and ends when it has joined', async () => {
    const { laptop, phone } = await openBoth('ann');
    const made = await openOnline(laptop.person);
    assert.equal((await offer(laptop, made, phone.id)).status, 200);
    await phone.until(() => phone.offers.length === 1);
    const [shown] = phone.offers;
    assert.ok(shown);
    const { from, ...rest } = shown;
    assert.equal(from.client, 'desktop');
    assert.deepEqual(rest, {
      sessionId: made.sessionId,
      pickupCode: made.pickupCode,
      fileCount: 1,
      totalBytes: ONE_FILE[0]?.size,
      encrypted: false,
      expiresAt: made.expiresAt,
    });
    assert.deepEqual(laptop.offers, [], 'only the device that was asked');
    await join(phone.person, made);
    await phone.until(() => phone.offers.length === 0);
    assert.equal((await offer(laptop, made, phone.id)).status, 409);
  });

  test('is shown to a device that reconnects, and moves to another device if the sender asks that one', async () => {
    const { laptop, phone } = await openBoth('ann');
    const tablet = await openPhone(laptop.person);
    const made = await openOnline(laptop.person);
    await offer(laptop, made, phone.id);
    assert.deepEqual(await phone.readOffers(), [made.sessionId]);
    await offer(laptop, made, tablet.id);
    await tablet.until(() => tablet.offers.length === 1);
    await phone.until(() => phone.offers.length === 0);
  });

  test('ends with its transfer', async () => {
    const { laptop, phone } = await openBoth('ann');
    const made = await openOnline(laptop.person);
    await offer(laptop, made, phone.id);
    await phone.until(() => phone.offers.length === 1);
    await laptop.person.ask('DELETE', `${TRANSFERS}/${made.sessionId}`);
    await phone.until(() => phone.offers.length === 0);
    assert.equal((await offer(laptop, made, phone.id)).status, 404);
  });

  test('can be declined once, and the sender gets a signal', async () => {
    const { laptop, phone } = await openBoth('ann');
    const made = await openOnline(laptop.person);
    await offer(laptop, made, phone.id);
    await laptop.person.refused(404, 2404, 'DELETE', offerUrl(made));
    const answers = await Promise.all(
      [one, another, one, another].map(({ url }) => {
        const client = new Person(phone.person.username, url);
        client.login = phone.person.login;
        return client.call('DELETE', offerUrl(made));
      }),
    );
    assert.deepEqual(countStatuses(answers), { 200: 1, 404: 3 });
    const { items } = await new Peer(laptop.person, made).read();
    assert.deepEqual(
      items.map(({ type, from }) => [type, from]),
      [['declined', 'receiver']],
    );
    await phone.until(() => phone.messages.length > 1 && phone.offers.length === 0);
    // The declined transfer can be offered again.
    assert.equal((await offer(laptop, made, phone.id)).status, 200);
  });

  test('racing with a join is rejected or ends with it', async () => {
    const { laptop, phone } = await openBoth('ann');
    for (let round = 0; round < 10; round += 1) {
      const made = await openOnline(laptop.person);
      const [offered, joined] = await Promise.all([
        offer(laptop, made, phone.id),
        phone.person.call('POST', `${TRANSFERS}/${made.sessionId}/join`),
      ]);
      assert.equal(joined.status, 200);
      assert.ok(offered.status === 200 || offered.status === 409, String(offered.status));
    }
    assert.deepEqual(await phone.readOffers(), []);
  });

  test('shows at most five transfers, and none that has expired', async () => {
    const { laptop, phone } = await openBoth('ann');
    for (let count = 0; count < 7; count += 1) {
      await offer(laptop, await openOnline(laptop.person), phone.id);
    }
    assert.equal((await phone.readOffers()).length, 5);
    one.clock.advance(16 * 60_000);
    assert.deepEqual(await (await openPhone(laptop.person)).readOffers(), []);
  });

  test('of an encrypted transfer says that it is encrypted, and contains no names', async () => {
    const { laptop, phone } = await openBoth('ann');
    const files = [{ name: 'file-0', size: 21, encryptedName: 'A'.repeat(40) }];
    const made = await openOnline(laptop.person, { files, encrypted: true, salt: 'A'.repeat(22) });
    await offer(laptop, made, phone.id);
    await phone.until(() => phone.offers[0]?.encrypted === true);
  });
});

describe('only another present device of the same account', () => {
  test('can get an offer: not the sender itself, an absent device or one of another account', async () => {
    const { laptop, phone } = await openBoth('ann');
    const stranger = await openBoth('bob');
    const made = await openOnline(laptop.person);
    assert.equal((await offer(laptop, made, laptop.id)).status, 400);
    assert.equal((await offer(laptop, made, stranger.phone.id)).status, 404);
    assert.equal((await laptop.person.call('POST', offerUrl(made), UNKNOWN)).status, 404);
    phone.close();
    await untilHere(laptop.person, phone.id, false);
    assert.equal((await offer(laptop, made, phone.id)).status, 404);
    assert.deepEqual(await stranger.phone.readOffers(), []);
  });

  test('sees or declines an offer, which only the sender can make', async () => {
    const { laptop, phone } = await openBoth('ann');
    const stranger = await openBoth('bob');
    const made = await openOnline(laptop.person);
    assert.equal((await offer(stranger.laptop, made, stranger.phone.id)).status, 403);
    assert.equal((await offer(stranger.laptop, made, phone.id)).status, 403);
    await offer(laptop, made, phone.id);
    await phone.until(() => phone.offers.length === 1);
    await stranger.phone.person.refused(404, 2404, 'DELETE', offerUrl(made));
    assert.ok(stranger.phone.messages.every(({ offers }) => offers.length === 0));
    const ids = (await listDevices(stranger.laptop.person)).map(({ id }) => id);
    assert.ok(!ids.includes(phone.id) && !ids.includes(laptop.id));
    await one.anonymous.refused(401, 2401, 'POST', offerUrl(made), UNKNOWN);
    // A session created by a visitor belongs to no account, so no one can offer it.
    const anonymous = await openOnline(one.anonymous);
    assert.equal((await offer(laptop, anonymous, phone.id)).status, 403);
    assert.equal((await offer(laptop, { sessionId: NOBODY }, phone.id)).status, 404);
  });

  test('is offered a transfer, which must not be a stored one', async () => {
    const { laptop, phone } = await openBoth('ann');
    const body = { mode: 'OFFLINE', files: ONE_FILE };
    const made = await laptop.person.ask<{ sessionId: string }>('POST', TRANSFERS, { body });
    assert.equal((await offer(laptop, made, phone.id)).status, 400);
  });
});
