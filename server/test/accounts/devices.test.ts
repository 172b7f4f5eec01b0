// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { LoginSessionRecord } from '../../src/accounts/sessions/contract.ts';
import { asProgram, createAppPassword } from '../support/app/app-passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { applicationOf, type LoginState, PASSWORD, Person } from '../support/app/person.ts';
import { isPostgres } from '../support/database/test-database.ts';

/** For tests without races: the default tier runs them on SQLite only. */
const onSqlite = isPostgres ? inFull : {};

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const SESSIONS = '/api/user/sessions';
const MAX_SESSIONS = 50;

const env = { HOLDALL_DEV_LOGIN: 'true', HOLDALL_RATE_LIMITS: 'off', HOLDALL_TRUST_PROXY: '1' };
const holdall = await startHoldall({ env });
const beside = await startHoldall({ beside: holdall, env });

const listSessions = (person: Person) => person.ask<LoginSessionRecord[]>('GET', SESSIONS);
const atDevice = (device: string) => ({ 'x-service-device': device });
const newLogin = (person: Person, device: string, client?: string) =>
  person.with(undefined).logInAt(device, client);

async function assertLoggedIn(...people: readonly Person[]): Promise<void> {
  for (const person of people) await person.ask('GET', '/api/user/profile');
}

/** Asserts that both tokens are rejected. */
async function assertLoggedOut(person: Person): Promise<void> {
  await person.refused(401, 1001, 'GET', '/api/user/profile');
  const body = { refreshToken: person.login?.refreshToken };
  await person.with(undefined).refused(401, 1001, 'POST', '/api/auth/refresh', { body });
}

describe('a session of a device', onSqlite, () => {
  test('is ended only by a new login of the same client type and device', async () => {
    const ann = await holdall.register('ann');
    const [laptop, computer] = [randomUUID(), randomUUID()];
    const onLaptop = await newLogin(ann, laptop);
    const onComputer = await newLogin(ann, computer);
    const mobile = await newLogin(ann, laptop, 'mobile');
    await assertLoggedIn(ann, onLaptop, onComputer, mobile);
    // The id of a device ignores case.
    const again = await newLogin(ann, laptop.toUpperCase());
    await assertLoggedOut(onLaptop);
    await assertLoggedIn(ann, onComputer, mobile, again);
  });

  test('survives a login without a device, which ends only the older session without a device', async () => {
    const ann = await holdall.register('ann');
    const onLaptop = await newLogin(ann, randomUUID());
    const next = await ann.with(undefined).logIn();
    await assertLoggedOut(ann);
    await assertLoggedIn(onLaptop, next);
  });

  test('is started by register, dev-login and login', async () => {
    const device = randomUUID();
    const application = applicationOf(`device-${Date.now()}`, await holdall.inviteCode());
    const ann = new Person(application.username, holdall.url);
    const enter = async (path: string, body: unknown) => {
      const state = await ann
        .with(undefined)
        .ask<LoginState>('POST', path, { body, headers: atDevice(device) });
      return ann.with(state);
    };
    const registered = await enter('/api/auth/register', application);
    const noDevice = await ann.with(undefined).logIn();
    const dev = await enter('/api/auth/dev-login', { username: ann.username });
    await assertLoggedOut(registered);
    await assertLoggedIn(dev, noDevice);
    const loggedIn = await enter('/api/auth/login', { username: ann.username, password: PASSWORD });
    await assertLoggedOut(dev);
    await assertLoggedIn(loggedIn, noDevice);
  });

  test('keeps its device when it is refreshed, whatever the header says, and when the password changes', async () => {
    const ann = await holdall.register('ann');
    const [laptop, computer] = [randomUUID(), randomUUID()];
    const onLaptop = await newLogin(ann, laptop);
    const onComputer = await newLogin(ann, computer);
    for (const headers of [{}, atDevice(laptop), atDevice(computer)]) {
      const body = { refreshToken: onLaptop.login?.refreshToken };
      onLaptop.login = await onLaptop
        .with(undefined)
        .ask<LoginState>('POST', '/api/auth/refresh', { body, headers });
      await assertLoggedIn(ann, onLaptop, onComputer);
      assert.equal((await listSessions(onLaptop)).find(({ current }) => current)?.device, laptop);
    }
    await onLaptop.enter('/api/user/password', { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` });
    assert.deepEqual(
      (await listSessions(onLaptop)).map(({ device, current }) => [device, current]),
      [[laptop, true]],
    );
    await assertLoggedOut(onComputer);
  });

  test('cannot be started or refreshed with a header that is not a UUID; nothing is used up', async () => {
    const ann = await holdall.register('ann');
    const calls: [string, unknown][] = [
      ['/api/auth/register', applicationOf('never-registered', await holdall.inviteCode())],
      ['/api/auth/login', { username: ann.username, password: PASSWORD }],
      ['/api/auth/dev-login', { username: ann.username }],
      ['/api/auth/refresh', { refreshToken: ann.login?.refreshToken }],
    ];
    const uuid = randomUUID();
    const faulty = ['', 'laptop', `${uuid}0`, uuid.replaceAll('-', ''), `{${uuid}}`, `${uuid}, ${uuid}`];
    for (const device of [...faulty, '0'.repeat(4_000)]) {
      for (const [path, body] of calls) {
        const options = { body, headers: atDevice(device) };
        await ann.with(undefined).refused(400, 1000, 'POST', path, options);
      }
    }
    await assertLoggedIn(ann);
    await ann.enter('/api/auth/refresh', { refreshToken: ann.login?.refreshToken });
  });
});

describe('the list of sessions', onSqlite, () => {
  test('shows where and when each was used last, those used last first', async () => {
    const ann = await holdall.register('ann');
    const device = randomUUID();
    const headers = { ...atDevice(device), 'user-agent': 'Laptop/1', 'x-forwarded-for': '192.0.2.7' };
    holdall.clock.advance(MINUTE);
    const body = { username: ann.username, password: PASSWORD };
    const login = await holdall.anonymous.ask<LoginState>('POST', '/api/auth/login', { body, headers });
    const [first, second] = await listSessions(ann.with(login));
    assert(first && second);
    const { id, createdAt, lastUsedAt, ...rest } = first;
    assert.deepEqual(rest, {
      client: 'desktop',
      device,
      address: '192.0.2.7',
      userAgent: 'Laptop/1',
      current: true,
      here: false,
    });
    assert.match(id, /^[\w-]{24}$/);
    assert.equal(createdAt, lastUsedAt);
    assert.deepEqual([second.device, second.current], [null, false]);
    assert.ok(second.lastUsedAt < lastUsedAt);

    holdall.clock.advance(MINUTE);
    const moved = { 'user-agent': 'Laptop/2', 'x-forwarded-for': '2001:db8::1' };
    const refresh = { body: { refreshToken: login.refreshToken }, headers: moved };
    const next = await holdall.anonymous.ask<LoginState>('POST', '/api/auth/refresh', refresh);
    const [refreshed] = await listSessions(ann.with(next));
    assert(refreshed);
    assert.deepEqual(
      [refreshed.id, refreshed.createdAt, refreshed.address, refreshed.userAgent],
      [id, createdAt, '2001:db8::1', 'Laptop/2'],
    );
    assert.ok(refreshed.lastUsedAt > lastUsedAt);
  });

  test('shortens long texts, and shows null for missing ones', async () => {
    const ann = await holdall.register('ann');
    const headers = {
      ...atDevice(randomUUID()),
      'user-agent': `Long/1 ${'ÿ'.repeat(5_000)}`,
      'x-forwarded-for': 'x'.repeat(500),
    };
    const body = { username: ann.username, password: PASSWORD };
    const login = await holdall.anonymous.ask<LoginState>('POST', '/api/auth/login', { body, headers });
    const [session] = await listSessions(ann.with(login));
    assert.equal(session?.userAgent, `Long/1 ${'ÿ'.repeat(505)}`);
    assert.ok((session?.address?.length ?? 0) <= 64);
    const unnamed = { ...atDevice(randomUUID()), 'user-agent': '' };
    const other = await holdall.anonymous.ask<LoginState>('POST', '/api/auth/login', {
      body,
      headers: unnamed,
    });
    const sessions = await listSessions(ann.with(other));
    assert.equal(sessions.find(({ current }) => current)?.userAgent, null);
  });

  test('contains no sessions of others, no expired sessions and no tokens', async () => {
    const ann = await holdall.register('ann');
    const bob = await holdall.register('bob');
    const old = await newLogin(ann, randomUUID());
    holdall.clock.advance(13 * DAY);
    await ann.logIn();
    await bob.logIn();
    assert.equal((await listSessions(ann)).length, 2);
    holdall.clock.advance(2 * DAY);
    await ann.enter('/api/auth/refresh', { refreshToken: ann.login?.refreshToken });
    const answer = await ann.call<LoginSessionRecord[]>('GET', SESSIONS);
    assert.equal(answer.data.length, 1);
    const text = JSON.stringify(answer.data);
    assert.ok(!text.includes(ann.login?.refreshToken ?? '') && !text.includes(ann.token));
    await assertLoggedOut(old);
  });

  test('is available to logins, not to app passwords', async () => {
    const ann = await holdall.register('ann');
    const program = asProgram(ann, (await createAppPassword(ann)).password);
    await program.refused(403, 1002, 'GET', SESSIONS);
    await program.refused(403, 1002, 'DELETE', `${SESSIONS}/x`);
    await holdall.anonymous.refused(401, 1001, 'GET', SESSIONS);
  });
});

describe('a session that its owner ends', onSqlite, () => {
  test('is rejected at once, on every instance, and no other is', async () => {
    const ann = await holdall.register('ann');
    const lost = await newLogin(ann, randomUUID());
    const stays = await newLogin(ann, randomUUID());
    const elsewhere = new Person(ann.username, beside.url);
    elsewhere.login = lost.login;
    await assertLoggedIn(elsewhere);
    const id = (await listSessions(lost)).find(({ current }) => current)?.id;
    assert.equal(await ann.ask('DELETE', `${SESSIONS}/${id}`), null);
    await assertLoggedOut(lost);
    await assertLoggedOut(elsewhere);
    await assertLoggedIn(ann, stays);
    assert.equal((await listSessions(ann)).length, 2);
    await ann.refused(404, 1003, 'DELETE', `${SESSIONS}/${id}`);
  });

  test('may be the calling session', async () => {
    const ann = await holdall.register('ann');
    const [own] = await listSessions(ann);
    await ann.ask('DELETE', `${SESSIONS}/${own?.id}`);
    await assertLoggedOut(ann);
  });

  test('cannot be the session of another account', async () => {
    const ann = await holdall.register('ann');
    const bob = await holdall.register('bob');
    const [own] = await listSessions(ann);
    await bob.refused(404, 1003, 'DELETE', `${SESSIONS}/${own?.id}`);
    await bob.refused(404, 1003, 'DELETE', `${SESSIONS}/%20`);
    await bob.refused(400, 1000, 'DELETE', `${SESSIONS}/${'x'.repeat(129)}`);
    await assertLoggedIn(ann);
  });
});

describe('an account', () => {
  test('has at most 50 sessions: a new one ends the least recently used one', onSqlite, async () => {
    const ann = await holdall.register('ann');
    const people = [ann];
    for (let count = 1; count < MAX_SESSIONS; count += 1) {
      holdall.clock.advance(1_000);
      people.push(await newLogin(ann, randomUUID()));
    }
    await assertLoggedIn(...people.slice(0, 2));
    // The oldest login is used again, so it is not the least recently used.
    holdall.clock.advance(1_000);
    await ann.enter('/api/auth/refresh', { refreshToken: ann.login?.refreshToken });
    const next = await newLogin(ann, randomUUID());
    await assertLoggedOut(people[1] ?? ann);
    await assertLoggedIn(ann, next, ...people.slice(2));
    assert.equal((await listSessions(ann)).length, MAX_SESSIONS);
  });

  test('keeps one session of 20 simultaneous logins of one device', async () => {
    const ann = await holdall.register('ann');
    const device = randomUUID();
    const people = await logInAtOnce(ann, 20, () => device);
    const statuses = await Promise.all(people.map((person) => person.call('GET', '/api/user/profile')));
    assert.deepEqual(statuses.map(({ status }) => status).sort(), [200, ...Array(19).fill(401)]);
    assert.equal((await listSessions(ann)).length, 2);
  });

  test('has at most 50 sessions after 60 simultaneous logins of as many devices', async () => {
    const ann = await holdall.register('ann');
    const people = await logInAtOnce(ann, 60, () => randomUUID());
    const answers = await Promise.all(people.map((person) => person.call('GET', '/api/user/profile')));
    assert.equal(answers.filter(({ status }) => status === 200).length, MAX_SESSIONS);
  });

  async function logInAtOnce(person: Person, count: number, deviceOf: () => string) {
    const urls = [holdall.url, beside.url];
    return Promise.all(
      Array.from({ length: count }, (_, index) =>
        new Person(person.username, urls[index % 2] ?? holdall.url).logInAt(deviceOf()),
      ),
    );
  }
});
