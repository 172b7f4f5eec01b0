// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { inFull, isLong } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { type LoginState, PASSWORD } from '../support/app/person.ts';
import { newestOf } from '../support/events/changes.ts';
import { EventReader, refusedStream } from '../support/events/event-reader.ts';
import { numbered, recordUnannounced } from '../support/events/unannounced-events.ts';

const MINUTE = 60_000;

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const { clock } = holdall;
const restless = await startHoldall({ eventBeatMs: 300 });

describe('a stream ends soon after', () => {
  test('a logout', async () => {
    const ann = await holdall.register('ann');
    const reader = await EventReader.open(ann);
    await ann.ask('POST', '/api/auth/logout');
    await reader.ended();
    assert.deepEqual(await refusedStream(ann), [401, 2401]);
  });

  test('a new login of the same client type, but not of the other type', async () => {
    const ann = await holdall.register('ann');
    const desktop = await EventReader.open(ann);
    const phone = ann.with(undefined);
    await phone.logIn(PASSWORD, 'mobile');
    const mobile = await EventReader.open(phone);
    await phone.with(undefined).logIn();
    await desktop.ended();
    await phone.mkdir('/still here');
    assert.equal((await mobile.events(1))[0]?.data.toPath, '/still here');
    mobile.close();
  });

  test('its session is ended from another device', async () => {
    const ann = await holdall.register('ann');
    const reader = await EventReader.open(ann);
    const other = await ann.with(undefined).logInAt(randomUUID());
    const sessions = await other.ask<{ id: string; current: boolean }[]>('GET', '/api/user/sessions');
    const id = sessions.find(({ current }) => !current)?.id;
    await other.ask('DELETE', `/api/user/sessions/${id}`);
    await reader.ended();
    assert.deepEqual(await refusedStream(ann), [401, 2401]);
  });

  test('its token expires, even while logins cannot be checked', async (t) => {
    const said: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => said.push(line) });
    const own = await startHoldall({ logger });
    const ann = await own.register('ann');
    const failing = t.mock.method(own.app.accounts, 'findLiveSessions', async () => {
      throw new Error('no database');
    });
    const reader = await EventReader.open(ann);
    await waitUntil('the logins are checked', () => failing.mock.callCount() >= 2);
    own.clock.advance(16 * MINUTE);
    await reader.ended();
    const reports = said.filter((line) => line.includes('the logins of event streams cannot be checked'));
    assert.equal(reports.length, 1);
  });

  test('a password change', async () => {
    const ann = await holdall.register('ann');
    const reader = await EventReader.open(ann);
    await ann.enter('/api/user/password', {
      currentPassword: PASSWORD,
      newPassword: 'another good password',
    });
    await reader.ended();
  });

  test('a ban', async () => {
    const ann = await holdall.register('ann');
    const reader = await EventReader.open(ann);
    const admin = await holdall.admin();
    await admin.ask('PATCH', `/api/admin/users/${ann.id}/status`, { body: { banned: true } });
    await reader.ended();
  });

  test('its token has expired, even if the login was refreshed', async () => {
    const ann = await holdall.register('ann');
    const old = await EventReader.open(ann);
    clock.advance(10 * MINUTE);
    const state = await ann.ask<LoginState>('POST', '/api/auth/refresh', {
      body: { refreshToken: ann.login?.refreshToken },
    });
    const renewed = await EventReader.open(ann.with(state));
    clock.advance(6 * MINUTE);
    await old.ended();
    await ann.with(state).mkdir('/by the new token');
    assert.equal((await renewed.events(1))[0]?.data.toPath, '/by the new token');
    renewed.close();
  });

  test('its client stops reading, and the client can read the missed events later', inFull, async () => {
    const impatient = await startHoldall({ eventBeatMs: 300 });
    const ann = await impatient.register('ann');
    const [stuck, other] = [await EventReader.open(ann), await EventReader.open(ann)];
    stuck.pause();
    const seen = stuck.messages.at(-1)?.id ?? 0;
    // More than the operating system buffers.
    const long = `/${'deep/'.repeat(400)}`;
    await recordUnannounced(impatient, ann, numbered(long, 6_000));
    await ann.mkdir('/announced');
    assert.equal(
      (await other.events(6_001)).at(-1)?.data.toPath,
      '/announced',
      'other streams get their events meanwhile',
    );
    await untilGone(impatient, 1);
    const again = await EventReader.open(ann, { query: { lastEventId: seen } });
    const found = await again.events(6_001);
    assert.deepEqual([found.length, found.at(-1)?.data.toPath], [6_001, '/announced']);
    stuck.close();
    other.close();
    again.close();
  });
});

test('a client that stops reading for a while misses no events', async () => {
  const ann = await holdall.register('ann');
  const [reader, other] = [await EventReader.open(ann), await EventReader.open(ann)];
  reader.pause();
  const long = `/${'deep/'.repeat(400)}`;
  const paths = numbered(long, 6_000);
  await recordUnannounced(holdall, ann, paths);
  await ann.mkdir('/while paused');
  // By then the service has written all that the connection of the paused client can hold.
  await other.events(6_001);
  other.close();
  reader.resume();
  await ann.mkdir('/after resuming');
  const found = await reader.events(6_002);
  assert.deepEqual(
    found.map(({ data }) => data.toPath),
    [...paths, '/while paused', '/after resuming'],
  );
  reader.close();
});

test('an idle stream sends a comment at every heartbeat', async () => {
  const ann = await restless.register('ann');
  const reader = await EventReader.open(ann);
  await reader.until(() => reader.comments > 2);
  assert.equal(reader.messages.length, 1);
  reader.close();
});

if (isLong) {
  test('heartbeats are 15 seconds apart', inFull, async () => {
    const ann = await holdall.register('ann');
    const reader = await EventReader.open(ann);
    await reader.until(() => reader.comments > 0);
    const first = performance.now();
    await reader.until(() => reader.comments > 1);
    const between = performance.now() - first;
    assert.ok(between > 13_000 && between < 20_000, `${between} ms`);
    reader.close();
  });
}

test('an event without a message is found by the periodic check', async () => {
  const ann = await restless.register('ann');
  const reader = await EventReader.open(ann);
  await recordUnannounced(restless, ann, ['/unannounced']);
  assert.equal((await reader.events(1))[0]?.data.toPath, '/unannounced');
  reader.close();
});

test('closing the service ends its streams immediately', async () => {
  const closing = await startHoldall();
  const ann = await closing.register('ann');
  const readers = await Promise.all(Array.from({ length: 20 }, () => EventReader.open(ann)));
  const newest = await newestOf(ann);
  assert.equal(readers[0]?.messages[0]?.id, newest);
  await closing.app.close();
  await Promise.all(readers.map((reader) => reader.ended()));
});

async function untilGone({ app: { streams } }: typeof holdall, left: number): Promise<void> {
  await waitUntil(`${left} streams are left`, () => streams.count <= left);
  assert.equal(streams.count, left);
}
