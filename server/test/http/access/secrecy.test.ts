// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { asProgram, createAppPassword, listAppPasswords } from '../../support/app/app-passwords.ts';
import { ADMIN_PASSWORD, startHoldall } from '../../support/app/holdall.ts';
import { type LoginState, PASSWORD, Person } from '../../support/app/person.ts';
import { EventReader } from '../../support/events/event-reader.ts';

const NEW_PASSWORD = 'the password after that';

test('a failed login is logged with the address and the account, and without the name', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const holdall = await startHoldall({ logger: pino({ level: 'info' }, stream) });
  const ann = await holdall.register('ann');
  const tryToLogIn = async (username: string) => {
    lines.length = 0;
    await holdall.anonymous.refused(401, 1001, 'POST', '/api/auth/login', {
      body: { username, password: 'wrong guess' },
    });
    assert.ok(!lines.join('').includes(username));
    return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a login failed');
  };
  const [known, ...others] = await tryToLogIn(ann.username);
  assert.deepEqual([known?.level, known?.address, known?.accountId], [40, '127.0.0.1', ann.id]);
  assert.equal(others.length, 0);
  const [unknown] = await tryToLogIn('a password typed as a name');
  assert.deepEqual([unknown?.address, unknown?.accountId], ['127.0.0.1', undefined]);
  lines.length = 0;
  await ann.logIn();
  assert.doesNotMatch(lines.join(''), /a login failed/);
});

test('no password, hash or token is in the log, or in any response except the login state', async () => {
  const log: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  const holdall = await startHoldall({ logger: pino({ level: 'trace' }, stream) });
  const { database } = holdall.app;
  const ann = await holdall.register('ann');
  const code = await holdall.inviteCode();
  const responses: string[] = [];
  const note = async (person: Person, method: string, path: string, body?: unknown) => {
    const response = await person.fetch(method, path, { body });
    responses.push(await response.text());
  };

  const secrets = [ADMIN_PASSWORD, PASSWORD, NEW_PASSWORD, code];
  secrets.push(ann.login?.refreshToken ?? '', ann.token);
  secrets.push(await hashOf(ann.id));
  await note(holdall.anonymous, 'POST', '/api/auth/login', {
    username: ann.username,
    password: 'wrong guess',
  });
  await note(holdall.anonymous, 'POST', '/api/auth/login', { username: ann.username, password: [PASSWORD] });
  await note(holdall.anonymous, 'POST', '/api/auth/register', { username: ann.username, password: PASSWORD });
  await note(holdall.anonymous, 'POST', '/api/auth/refresh', { refreshToken: [ann.login?.refreshToken] });
  await note(holdall.anonymous, 'GET', `/api/user/profile?access_token=${ann.token}`);
  const { password: appPassword } = await createAppPassword(ann);
  secrets.push(appPassword, appPassword.slice(4));
  await note(asProgram(ann, appPassword), 'GET', '/api/user/profile');
  await note(asProgram(ann, appPassword), 'GET', '/api/admin/users');
  await note(holdall.anonymous, 'GET', `/api/v2/files/events?access_token=${appPassword}`);
  await note(ann, 'GET', '/api/user/app-passwords');
  assert.equal((await listAppPasswords(ann)).length, 1);
  const reader = await EventReader.open(holdall.anonymous, { query: { access_token: ann.token } });
  await ann.mkdir('/streamed');
  await reader.events(1);
  responses.push(JSON.stringify([reader.messages, reader.headers]));
  reader.close();
  for (const query of ['path=..', 'path=a&path=b', 'path=%00']) {
    await note(holdall.anonymous, 'GET', `/api/v2/files/events?${query}&access_token=${ann.token}`);
  }
  await note(holdall.anonymous, 'GET', `/api/v2/files/%zz?access_token=${ann.token}`);
  await note(holdall.anonymous, 'POST', `/api/v2/files/events?access_token=${ann.token}`);
  await note(holdall.anonymous, 'GET', '/metrics');
  await note(ann, 'GET', '/api/user/profile');
  await note(ann, 'PUT', '/api/user/profile', {
    displayName: 'Ann',
    password: NEW_PASSWORD,
    passwordHash: 'x',
  });
  await note(ann, 'POST', '/api/user/password', {
    currentPassword: 'wrong guess',
    newPassword: NEW_PASSWORD,
  });
  await ann.enter('/api/user/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
  secrets.push(ann.login?.refreshToken ?? '', ann.token, await hashOf(ann.id));
  await new Person(ann.username, holdall.url).logIn(NEW_PASSWORD);
  const login = await holdall.anonymous.ask<LoginState>('POST', '/api/auth/login', {
    body: { username: ann.username, password: NEW_PASSWORD },
  });
  const members = ['accessToken', 'expiresIn', 'mustChangePassword', 'refreshToken', 'token', 'user'];
  assert.deepEqual(Object.keys(login).sort(), members);
  assert.doesNotMatch(JSON.stringify(login), /argon2|hash/i);

  assert(log.length > 10, 'the log was captured');
  for (const [place, text] of Object.entries({ log: log.join(''), responses: responses.join('') })) {
    for (const secret of [...secrets, 'wrong guess']) {
      assert(secret.length >= 11);
      assert(!text.includes(secret), `${place}: ${secret}`);
    }
    assert.doesNotMatch(text, /argon2/);
  }

  const storedSessions = JSON.stringify(await database.db.selectFrom('session').selectAll().execute());
  const { refreshToken } = login;
  assert(!storedSessions.includes(refreshToken));
  assert(storedSessions.includes(createHash('sha256').update(refreshToken).digest('hex')));

  async function hashOf(accountId: number): Promise<string> {
    const row = await database.db
      .selectFrom('account')
      .select('password_hash')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    return row.password_hash ?? '';
  }
});
