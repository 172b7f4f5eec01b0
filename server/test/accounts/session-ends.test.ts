// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { LoginSessionRecord } from '../../src/accounts/sessions/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { type LoginState, PASSWORD, Person } from '../support/app/person.ts';

const DAY = 86_400_000;
const SECRET = 'a secret that these tests share with the server';
const NEW_PASSWORD = 'a completely different one';
const PROFILE = '/api/user/profile';

const env = { HOLDALL_JWT_SECRET: SECRET, HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const beside = await startHoldall({ beside: holdall, env });
const admin = await holdall.admin();

interface Rejection {
  readonly status: number;
  readonly end: string | null;
}

function toRejection({ status, headers }: { status: number; headers: Headers }): Rejection {
  return { status, end: headers.get('x-service-session-end') };
}

const rejectionOfAccess = async (person: Person) => toRejection(await person.call('GET', PROFILE));
const rejectionOfRefresh = async (person: Person) => {
  const body = { refreshToken: person.login?.refreshToken };
  return toRejection(await person.with(undefined).call('POST', '/api/auth/refresh', { body }));
};

/** Asserts that both tokens of a login say why it has ended. */
async function assertEnded(end: string, person: Person): Promise<void> {
  const elsewhere = new Person(person.username, beside.url);
  elsewhere.login = person.login;
  for (const each of [person, elsewhere])
    assert.deepEqual(await rejectionOfAccess(each), { status: 401, end });
  assert.deepEqual(await rejectionOfRefresh(person), { status: 401, end });
}

const setBanned = (person: Person, banned: boolean) =>
  admin.ask('PATCH', `/api/admin/users/${person.id}/status`, { body: { banned } });

test('a session says that it ended by a logout, here or from another device', async () => {
  const ann = await holdall.register('ann');
  const [laptop, phone] = [
    await ann.with(undefined).logInAt(randomUUID()),
    await ann.with(undefined).logInAt(randomUUID()),
  ];
  await laptop.ask('POST', '/api/auth/logout');
  await assertEnded('logged-out', laptop);
  const sessions = await ann.ask<LoginSessionRecord[]>('GET', '/api/user/sessions');
  const other = sessions.find(({ current }) => !current) ?? assert.fail();
  await ann.ask('DELETE', `/api/user/sessions/${other.id}`);
  await assertEnded('logged-out-elsewhere', phone);
  const own = sessions.find(({ current }) => current) ?? assert.fail();
  await ann.ask('DELETE', `/api/user/sessions/${own.id}`);
  await assertEnded('logged-out', ann);
});

test('a session says that it ended because another device logged out all others', async () => {
  const ann = await holdall.register('ann');
  const [laptop, phone] = [
    await ann.with(undefined).logInAt(randomUUID()),
    await ann.with(undefined).logInAt(randomUUID()),
  ];
  const stranger = await holdall.register('bob');
  assert.deepEqual(await ann.ask('DELETE', '/api/user/sessions'), { ended: 2 });
  await assertEnded('logged-out-elsewhere', laptop);
  await assertEnded('logged-out-elsewhere', phone);
  assert.deepEqual(await ann.ask('DELETE', '/api/user/sessions'), { ended: 0 });
  await stranger.ask('GET', '/api/user/profile');
});

test('a session says that it ended by a new password, set by the owner or an administrator', async () => {
  const ann = await holdall.register('ann');
  const mobile = await ann.with(undefined).logIn(PASSWORD, 'mobile');
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  const next = ann.with(await ann.ask<LoginState>('POST', '/api/user/password', { body }));
  await assertEnded('password-changed', ann);
  await assertEnded('password-changed', mobile);
  await admin.ask('POST', `/api/admin/users/${ann.id}/password/reset`);
  await assertEnded('password-reset', next);
});

test('a session says that it ended by a ban, also after the ban is lifted', async () => {
  const ann = await holdall.register('ann');
  await setBanned(ann, true);
  assert.deepEqual(await rejectionOfAccess(ann), { status: 401, end: 'banned' });
  assert.equal((await rejectionOfRefresh(ann)).status, 403);
  await setBanned(ann, false);
  await assertEnded('banned', ann);
});

test('a session says that it ended by a newer login of the same kind, or by too many logins', async () => {
  const ann = await holdall.register('ann');
  await ann.with(undefined).logIn();
  await assertEnded('replaced', ann);
  const first = await ann.with(undefined).logInAt(randomUUID());
  for (let count = 0; count < 50; count += 1) {
    holdall.clock.advance(1_000);
    await ann.with(undefined).logInAt(randomUUID());
  }
  await assertEnded('too-many', first);
});

test('a session says that it expired, before and after its row is deleted', async () => {
  const ann = await holdall.register('ann');
  holdall.clock.advance(14 * DAY);
  // An expired access token no longer proves whose session it was.
  assert.deepEqual(await rejectionOfAccess(ann), { status: 401, end: null });
  assert.deepEqual(await rejectionOfRefresh(ann), { status: 401, end: 'expired' });
  await holdall.app.cleanUp();
  assert.deepEqual(await rejectionOfRefresh(ann), { status: 401, end: 'expired' });
  holdall.clock.advance(31 * DAY);
  assert.deepEqual(await rejectionOfRefresh(ann), { status: 401, end: null });
  await holdall.app.cleanUp();
  const { rows } = await countEnds();
  assert.equal(rows, 0);
});

test('nobody learns it without a token of that session', async () => {
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  const before = ann.login ?? assert.fail();
  const { refreshToken } = before;
  await ann.enter('/api/auth/refresh', { refreshToken });
  const claims = JSON.parse(Buffer.from(ann.token.split('.')[1] ?? '', 'base64url').toString());
  await ann.ask('POST', '/api/auth/logout');
  await assertEnded('logged-out', ann);
  // A replaced refresh token proves nothing: someone else may have found it.
  assert.deepEqual(await rejectionOfRefresh(ann.with(before)), { status: 401, end: null });
  const forged = {
    'another secret': sign(claims, 'x'.repeat(32)),
    'no signature': sign(claims).replace(/[^.]+$/, ''),
    'another account': sign({ ...claims, sub: String(bob.id) }),
    'an expired token': sign({ ...claims, exp: 1 }),
    'a session that never existed': sign({ ...claims, sid: 'none' }),
  };
  for (const [how, accessToken] of Object.entries(forged)) {
    assert.deepEqual(
      await rejectionOfAccess(ann.with({ ...before, accessToken })),
      { status: 401, end: null },
      how,
    );
  }
  assert.deepEqual(await rejectionOfAccess(holdall.anonymous), { status: 401, end: null });
  // A public route treats an ended login as no login.
  const ping = await ann.call('GET', '/api/v2/site/ping');
  assert.deepEqual(toRejection(ping), { status: 200, end: null });
});

test('an account keeps the ends of at most 100 sessions', async () => {
  const ann = await holdall.register('ann');
  for (let count = 0; count < 105; count += 1) {
    holdall.clock.advance(1_000);
    await ann.logIn();
  }
  const { rows } = await countEnds(ann);
  assert.equal(rows, 100);
});

async function countEnds(person?: Person): Promise<{ readonly rows: number }> {
  const ends = await holdall.app.database.db.selectFrom('ended_session').select('account_id').execute();
  return { rows: ends.filter(({ account_id }) => person === undefined || account_id === person.id).length };
}

function sign(claims: object, secret = SECRET): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
