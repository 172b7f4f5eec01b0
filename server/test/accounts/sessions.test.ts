// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import { type LoginState, PASSWORD, Person } from '../support/app/person.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const SECRET = 'a secret that these tests share with the server';
const NEW_PASSWORD = 'a completely different one';

describe('login', async () => {
  const holdall = await startHoldall();

  test('the username ignores case, the password does not', async () => {
    const ann = await holdall.register('ann');
    const shouting = await new Person(ann.username.toUpperCase(), holdall.url).logIn();
    assert.deepEqual(shouting.login?.user, (await ann.logIn()).login?.user);
    const body = { username: ann.username, password: PASSWORD.toUpperCase() };
    await holdall.anonymous.refused(401, 1001, 'POST', '/api/auth/login', { body });
  });

  test('a wrong password and an unknown user get the same answer', async () => {
    const ann = await holdall.register('ann');
    const answers = [];
    for (const username of [ann.username, 'nobody-at-all', '', 'no username', 'a\nb', 'x'.repeat(256)]) {
      const body = { username, password: 'wrong' };
      const { headers, ...answer } = await holdall.anonymous.call('POST', '/api/auth/login', { body });
      assert.equal(headers.get('www-authenticate'), 'Bearer');
      answers.push(answer);
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(answers[0]?.status, 401);
  });

  test('an invalid login body is rejected', async () => {
    for (const body of [{}, { username: 'ann' }, { username: 'ann', password: 7 }, { password: PASSWORD }]) {
      await holdall.anonymous.refused(400, 1000, 'POST', '/api/auth/login', { body });
    }
  });

  test('the scheme of the header ignores case, and anything but a valid token gives 401', async () => {
    const ann = await holdall.register('ann');
    const call = (authorization: string) =>
      holdall.anonymous.call('GET', '/api/user/profile', { headers: { authorization } });
    assert.equal((await call(`bearer ${ann.token}`)).status, 200);
    for (const header of [
      'Bearer',
      'Bearer x',
      'Basic YTpi',
      ann.token,
      `Bearer ${ann.token} x`,
      'Bearer null',
    ]) {
      const answer = await call(header);
      assert.deepEqual([answer.status, answer.code], [401, 1001], header);
    }
  });

  test('the v2 routes answer a missing token with their own code', async () => {
    await holdall.anonymous.refused(401, 2401, 'GET', '/api/v2/files/1');
  });
});

describe('sessions', async () => {
  const holdall = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
  const beside = await startHoldall({ beside: holdall, env: { HOLDALL_DEV_LOGIN: 'true' } });

  test('a login ends the previous session of its client type, and no other', async () => {
    const ann = await holdall.register('ann');
    const desktop = ann.with(ann.login);
    const mobile = await ann.with(undefined).logIn(PASSWORD, 'Mobile');
    await assertLoggedIn(desktop, mobile);

    const again = await ann.with(undefined).logIn(PASSWORD, 'mobile');
    await assertLoggedIn(desktop, again);
    await assertLoggedOut(mobile);

    await ann.logIn(PASSWORD, 'some other thing');
    await assertLoggedIn(ann, again);
    await assertLoggedOut(desktop);
  });

  test('a session that ends on one instance ends on all', async () => {
    const ann = await holdall.register('ann');
    const elsewhere = new Person(ann.username, beside.url);
    elsewhere.login = ann.login;
    await assertLoggedIn(ann, elsewhere);
    await new Person(ann.username, beside.url).enter('/api/auth/dev-login', { username: ann.username });
    await assertLoggedOut(ann);
    await assertLoggedOut(elsewhere);
  });

  test('register and dev-login read the client type from the same header as login', async () => {
    const name = `mobile-${Date.now()}`;
    const registered = await new Person(name, holdall.url).register(await holdall.inviteCode(), 'MOBILE');
    assert.equal(claimsOf(registered).client, 'mobile');
    const desktop = await registered.with(undefined).logIn();
    assert.equal(claimsOf(desktop).client, 'desktop');
    await assertLoggedIn(registered, desktop);
    const dev = await registered.with(undefined).enter('/api/auth/dev-login', { username: name }, 'mobile');
    await assertLoggedIn(dev, desktop);
    await assertLoggedOut(registered);
  });

  test('logout ends the calling session and no other', async () => {
    const ann = await holdall.register('ann');
    const mobile = await ann.with(undefined).logIn(PASSWORD, 'mobile');
    assert.equal(await ann.ask('POST', '/api/auth/logout'), null);
    await assertLoggedOut(ann);
    await assertLoggedIn(mobile);
    await holdall.anonymous.refused(401, 1001, 'POST', '/api/auth/logout');
  });

  test('an access token expires after 15 minutes', async () => {
    const ann = await holdall.register('ann');
    const { iat, exp } = claimsOf(ann);
    assert.equal(Number(exp) - Number(iat), 900);
    holdall.clock.advance(15 * MINUTE - 2_000);
    await assertLoggedIn(ann);
    holdall.clock.advance(2_000);
    await ann.refused(401, 1001, 'GET', '/api/user/profile');
    await ann.enter('/api/auth/refresh', { refreshToken: ann.login?.refreshToken });
    await assertLoggedIn(ann);
  });
});

describe('refresh', async () => {
  const holdall = await startHoldall();
  const refresh = (person: Person, client?: string) =>
    person.with(undefined).enter('/api/auth/refresh', { refreshToken: person.login?.refreshToken }, client);

  test('gives a new pair of tokens, and the old access token stays valid', async () => {
    const ann = await holdall.register('ann');
    holdall.clock.advance(1_000);
    const next = await refresh(ann);
    assert.notEqual(next.login?.refreshToken, ann.login?.refreshToken);
    assert.notEqual(next.token, ann.token);
    assert.deepEqual(Object.keys(next.login ?? {}).sort(), Object.keys(ann.login ?? {}).sort());
    assert.equal(claimsOf(next).sid, claimsOf(ann).sid);
    await assertLoggedIn(ann, next);
  });

  test('a refresh token works once', async () => {
    const ann = await holdall.register('ann');
    const next = await refresh(ann);
    await isDeadToken(ann);
    const third = await refresh(next);
    await isDeadToken(next);
    await assertLoggedIn(third);
  });

  test('the session keeps its client type, whatever the header says', async () => {
    const ann = await holdall.register('ann');
    const mobile = await ann.with(undefined).logIn(PASSWORD, 'mobile');
    const next = await refresh(mobile, 'desktop');
    assert.equal(claimsOf(next).client, 'mobile');
    await assertLoggedIn(ann, mobile, next);
  });

  test('a refresh token expires 14 days after it was issued', async () => {
    const ann = await holdall.register('ann');
    holdall.clock.advance(13 * DAY);
    const next = await refresh(ann);
    holdall.clock.advance(13 * DAY);
    const third = await refresh(next);
    holdall.clock.advance(14 * DAY);
    await isDeadToken(third);
    await holdall.app.cleanUp();
    await isDeadToken(third);
    await assertLoggedIn(await ann.logIn());
  });

  test('anything but a refresh token is rejected', async () => {
    const ann = await holdall.register('ann');
    for (const refreshToken of ['', 'x', ann.token, `${ann.login?.refreshToken} `, 'a\nb']) {
      await holdall.anonymous.refused(401, 1001, 'POST', '/api/auth/refresh', { body: { refreshToken } });
    }
    for (const body of [{}, { refreshToken: null }, { refreshToken: 1 }]) {
      await holdall.anonymous.refused(400, 1000, 'POST', '/api/auth/refresh', { body });
    }
    await assertLoggedIn(await refresh(ann));
  });
});

describe('password change', async () => {
  const holdall = await startHoldall();
  const change = (person: Person, body: unknown) =>
    person.call<LoginState>('POST', '/api/user/password', { body });

  test('ends all sessions of both client types and gives the caller a new login', async () => {
    const ann = await holdall.register('ann');
    const mobile = await ann.with(undefined).logIn(PASSWORD, 'mobile');
    const answer = await change(mobile, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    assert.equal(answer.code, 0, answer.msg);
    await assertLoggedOut(ann);
    await assertLoggedOut(mobile);
    const next = ann.with(answer.data);
    assert.equal(claimsOf(next).client, 'mobile');
    await assertLoggedIn(next);

    const body = { username: ann.username, password: PASSWORD };
    await holdall.anonymous.refused(401, 1001, 'POST', '/api/auth/login', { body });
    await assertLoggedIn(next, await ann.with(undefined).logIn(NEW_PASSWORD));
  });

  test('the current password may be sent as oldPassword', async () => {
    const ann = await holdall.register('ann');
    assert.equal((await change(ann, { oldPassword: PASSWORD, newPassword: NEW_PASSWORD })).status, 200);
  });

  test('a wrong current password is rejected and ends no session', async () => {
    const ann = await holdall.register('ann');
    const answer = await change(ann, { currentPassword: 'wrong', newPassword: NEW_PASSWORD });
    assert.deepEqual([answer.status, answer.code, answer.data], [400, 1003, null]);
    await assertLoggedIn(ann, await ann.with(undefined).logIn(PASSWORD, 'mobile'));
  });

  test('a new password must follow the password rules', async () => {
    const ann = await holdall.register('ann');
    for (const newPassword of ['short', 'password1', ann.username, 'x'.repeat(129), 7, undefined]) {
      const answer = await change(ann, { currentPassword: PASSWORD, newPassword });
      assert.deepEqual([answer.status, answer.code], [400, 1000], String(newPassword));
    }
    assert.equal((await change(ann, { newPassword: NEW_PASSWORD })).code, 1000);
    await holdall.anonymous.refused(401, 1001, 'POST', '/api/user/password', {
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    });
    await assertLoggedIn(ann);
  });
});

describe('a ban', async () => {
  const holdall = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
  const beside = await startHoldall({ beside: holdall });
  const admin = await holdall.admin();
  const setBanned = (person: Person, banned: boolean) =>
    admin.ask('PATCH', `/api/admin/users/${person.id}/status`, { body: { banned } });

  test('rejects tokens with 401 on every instance, and login and refresh with 403', async () => {
    const ann = await holdall.register('ann');
    const elsewhere = new Person(ann.username, beside.url);
    elsewhere.login = ann.login;
    await assertLoggedIn(elsewhere);
    await setBanned(ann, true);
    for (const person of [ann, elsewhere]) {
      await person.refused(401, 1001, 'GET', '/api/user/profile');
      await person.refused(403, 1002, 'POST', '/api/auth/refresh', {
        body: { refreshToken: ann.login?.refreshToken },
      });
      await person.refused(403, 1002, 'POST', '/api/auth/login', {
        body: { username: ann.username, password: PASSWORD },
      });
    }
    await ann.refused(403, 1002, 'POST', '/api/auth/dev-login', { body: { username: ann.username } });
    await ann.refused(401, 1001, 'POST', '/api/auth/login', {
      body: { username: ann.username, password: 'wrong' },
    });
  });

  test('tokens from before a ban stay invalid after it is lifted', async () => {
    const ann = await holdall.register('ann');
    const before = ann.with(ann.login);
    await setBanned(ann, true);
    await setBanned(ann, false);
    await assertLoggedOut(before);
    await assertLoggedIn(await ann.logIn());
  });
});

describe('forged tokens', async () => {
  const holdall = await startHoldall({ env: { HOLDALL_JWT_SECRET: SECRET } });

  test('only tokens that the server signed for that account and that session are accepted', async () => {
    const ann = await holdall.register('ann');
    const bob = await holdall.register('bob');
    const mine = claimsOf(ann);
    await assertLoggedIn(ann.with(loginOf(ann, sign({ alg: 'HS256', typ: 'JWT' }, mine))));
    const unsigned = sign({ alg: 'none' }, mine).replace(/[^.]+$/, '');
    const forged: Record<string, string> = {
      'alg none': unsigned,
      'alg none without the last dot': unsigned.slice(0, -1),
      'alg HS512': sign({ alg: 'HS512' }, mine, SECRET, 'sha512'),
      'another secret': sign({ alg: 'HS256' }, mine, 'x'.repeat(32)),
      expired: sign({ alg: 'HS256' }, { ...mine, exp: Math.floor(Date.now() / 1_000) - 1 }),
      'the session of another user': sign({ alg: 'HS256' }, { ...mine, sid: claimsOf(bob).sid }),
      'the account of another user': sign({ alg: 'HS256' }, { ...mine, sub: String(bob.id) }),
      'a session that does not exist': sign({ alg: 'HS256' }, { ...mine, sid: 'none' }),
      'another payload under the old signature': tampered(ann.token, { ...mine, sub: String(bob.id) }),
    };
    for (const [how, token] of Object.entries(forged)) {
      const answer = await ann.with(loginOf(ann, token)).call('GET', '/api/user/profile');
      assert.deepEqual([answer.status, answer.code], [401, 1001], how);
    }
  });

  test('a role in the token has no effect: only the account’s role counts', async () => {
    const ann = await holdall.register('ann');
    const token = sign({ alg: 'HS256' }, { ...claimsOf(ann), role: 'ADMIN', username: 'admin' });
    const user = await ann
      .with(loginOf(ann, token))
      .ask<{ role: string; username: string }>('GET', '/api/user/profile');
    assert.deepEqual([user.role, user.username], ['USER', ann.username]);
  });

  test('a public route ignores an invalid token', async () => {
    const ann = await holdall.register('ann');
    await ann.with(loginOf(ann, 'not.a.token')).ask('GET', '/api/v2/site/ping');
  });
});

test('a generated secret is stored, so tokens stay valid after a restart', async () => {
  const holdall: Holdall = await startHoldall();
  const ann = await holdall.register('ann');
  const restarted = await startHoldall({ beside: holdall });
  const later = new Person(ann.username, restarted.url);
  later.login = ann.login;
  await assertLoggedIn(later);
});

async function assertLoggedIn(...people: readonly Person[]): Promise<void> {
  for (const person of people) await person.ask('GET', '/api/user/profile');
}

/** Asserts that both tokens are rejected. */
async function assertLoggedOut(person: Person): Promise<void> {
  await person.refused(401, 1001, 'GET', '/api/user/profile');
  await isDeadToken(person);
}

async function isDeadToken(person: Person): Promise<void> {
  const body = { refreshToken: person.login?.refreshToken };
  await person.with(undefined).refused(401, 1001, 'POST', '/api/auth/refresh', { body });
}

function claimsOf(person: Person): Record<string, unknown> {
  return JSON.parse(Buffer.from(person.token.split('.')[1] ?? '', 'base64url').toString());
}

function loginOf(person: Person, accessToken: string): LoginState {
  assert(person.login);
  return { ...person.login, accessToken };
}

function sign(header: object, claims: object, secret = SECRET, hash = 'sha256'): string {
  const text = [header, claims].map(encode).join('.');
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

function tampered(token: string, claims: object): string {
  const [header, , signature] = token.split('.');
  return [header, encode(claims), signature].join('.');
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
