// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { createAppPassword } from '../support/app/app-passwords.ts';
import { environmentOf, runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { type LoginState, PASSWORD, Person } from '../support/app/person.ts';
import { setUpTotp, TOTP_PATH } from '../support/app/second-factor.ts';
import { lettersTo, MAIL_ENVIRONMENT, mailReset, verifyEmail } from '../support/mail/letters.ts';
import { dataOf, SETTINGS } from '../support/notifications/listed.ts';

const NEW_PASSWORD = 'another horse battery staple';

const env = {
  ...{ ...MAIL_ENVIRONMENT, HOLDALL_RATE_LIMITS: 'off', HOLDALL_DEV_LOGIN: 'true' },
  HOLDALL_TRUST_PROXY: 'true',
};
const holdall = await startHoldall({ env });
const { app, clock } = holdall;
clock.stop();

const eventsOf = async (person: Person) =>
  (await dataOf(person, 'SECURITY')).map(({ event }) => event).reverse();
/** Logs in, and uses the new session from then on. */
async function logIn(person: Person, headers: Readonly<Record<string, string>> = {}): Promise<LoginState> {
  const body = { username: person.username, password: PASSWORD };
  const login = await holdall.anonymous.ask<LoginState>('POST', '/api/auth/login', { body, headers });
  person.login = login;
  return login;
}
const at = (device: string) => ({ 'x-service-device': device });

describe('a login', () => {
  test('is told if its device is new, once, and without the registration and refreshes', async () => {
    const person = await holdall.register();
    assert.deepEqual(await eventsOf(person), [], 'the registration');
    const device = randomUUID();
    const { refreshToken: first } = await logIn(person, { ...at(device), 'user-agent': 'Firefox' });
    assert.deepEqual(await dataOf(person, 'SECURITY'), [
      { event: 'NEW_LOGIN', program: 'Firefox', address: '127.0.0.1' },
    ]);
    const { refreshToken } = await logIn(person, { ...at(device.toUpperCase()), 'user-agent': 'Chromium' });
    assert.notEqual(refreshToken, first);
    await person.enter('/api/auth/refresh', { refreshToken });
    assert.equal((await eventsOf(person)).length, 1);
    await logIn(person, at(randomUUID()));
    assert.equal((await eventsOf(person)).length, 2);
  });

  test('without a device is told if its program is new there', async () => {
    const person = await holdall.register();
    await logIn(person);
    assert.deepEqual(await eventsOf(person), [], 'like the registration');
    await logIn(person, { 'user-agent': 'a new program' });
    await logIn(person, { 'user-agent': 'a new program' });
    assert.deepEqual(await eventsOf(person), ['NEW_LOGIN']);
  });

  test('without a device is told once for all IPv6 addresses of a network', async () => {
    const person = await holdall.register();
    const from = (address: string) => logIn(person, { 'x-forwarded-for': address });
    await from('2001:db8:1:2::5');
    await from('2001:db8:1:2:aaaa:bbbb:cccc:dddd');
    await from('2001:db8:1:3::5');
    assert.deepEqual(
      (await dataOf(person, 'SECURITY')).map(({ address }) => address),
      ['2001:db8:1:3::5', '2001:db8:1:2::5'],
    );
  });

  test('fails without a notification if the password is wrong', async () => {
    const person = await holdall.register();
    const body = { username: person.username, password: 'a wrong password' };
    const headers = at(randomUUID());
    assert.equal((await person.call('POST', '/api/auth/login', { body, headers })).status, 401);
    assert.deepEqual(await eventsOf(person), []);
  });

  test('is told once if the device logs in several times at the same moment', async () => {
    const person = await holdall.register();
    const device = randomUUID();
    await Promise.all(Array.from({ length: 6 }, () => logIn(person.with(person.login), at(device))));
    assert.deepEqual(await eventsOf(person), ['NEW_LOGIN']);
  });

  test('into an account that an administrator has created is told', async () => {
    const admin = await holdall.admin();
    const username = `made-${randomUUID().slice(0, 8)}`;
    const made = {
      ...{ username, email: `${username}@example.org`, phoneNumber: '+491700000099' },
      password: PASSWORD,
    };
    await admin.ask('POST', '/api/admin/users', { body: made });
    const person = await new Person(username, holdall.url).logIn(PASSWORD);
    await person.enter('/api/user/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    assert.deepEqual(await eventsOf(person), ['NEW_LOGIN', 'CHANGE_PASSWORD']);
  });

  test('for development is told, except the one that creates the account', async () => {
    const username = `dev-${randomUUID().slice(0, 8)}`;
    const person = new Person(username, holdall.url);
    await person.enter('/api/auth/dev-login', { username });
    assert.deepEqual(await eventsOf(person), []);
    const body = { username };
    await person.ask('POST', '/api/auth/dev-login', { body, headers: at(randomUUID()) });
    assert.deepEqual(await eventsOf(person), ['NEW_LOGIN']);
  });

  test('is remembered for the 200 places that were used last', async () => {
    const person = await holdall.register();
    const first = randomUUID();
    await logIn(person, at(first));
    const old = Array.from({ length: 199 }, (_, index) => ({
      ...{ account_id: person.id, key: `old ${index}` },
      used_at: clock.now() - 1_000_000 + index,
    }));
    await app.database.transact((tx) => tx.insertInto('known_login').values(old).execute());
    await logIn(person, at(randomUUID()));
    const kept = await app.database.db
      .selectFrom('known_login')
      .select('key')
      .where('account_id', '=', person.id)
      .execute();
    assert.equal(kept.length, 200);
    const keys = kept.map(({ key }) => key);
    assert.deepEqual(
      [keys.includes('old 0'), keys.includes('old 1'), keys.includes('old 198')],
      [...[false, false, true]],
    );
    await logIn(person, at(first));
    assert.deepEqual(await eventsOf(person), ['NEW_LOGIN', 'NEW_LOGIN']);
  });
});

describe('a change of how people log in', () => {
  test('is told, and the new login after a password change is not', async () => {
    const person = await holdall.register();
    const { id } = await createAppPassword(person);
    await person.ask('DELETE', `/api/user/app-passwords/${id}`);
    await person.enter('/api/user/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    assert.deepEqual(await eventsOf(person), [
      'CREATE_APP_PASSWORD',
      'DELETE_APP_PASSWORD',
      'CHANGE_PASSWORD',
    ]);
    const [changed] = await dataOf(person, 'SECURITY');
    assert.equal(changed?.address, '127.0.0.1');
  });

  test('to the second factor is told with the address that it comes from', async () => {
    const person = await holdall.register();
    await setUpTotp(person, clock);
    await person.ask('DELETE', TOTP_PATH, { body: { password: PASSWORD } });
    assert.deepEqual(
      (await dataOf(person, 'SECURITY')).map(({ event, address }) => [event, address]),
      [
        ['REMOVE_TOTP', '127.0.0.1'],
        ['SET_UP_TOTP', '127.0.0.1'],
      ],
    );
  });

  test('is always mailed to a verified address, also a reset with a mailed link', async () => {
    const person = await holdall.register();
    const email = await verifyEmail(holdall, person);
    await person.ask('PUT', SETTINGS, { body: { SECURITY: { app: false, mail: true } } });
    const token = await mailReset(holdall, email);
    await holdall.anonymous.ask('POST', '/api/auth/password-reset/confirm', {
      body: { token, newPassword: NEW_PASSWORD },
    });
    const [letter] = (await lettersTo(holdall, email)).filter(({ letter: { kind } }) => kind === 'SECURITY');
    const expected = { kind: 'SECURITY', event: 'RESET_PASSWORD', program: null, address: '127.0.0.1' };
    assert.deepEqual(letter?.letter, expected);
    await person.logIn(NEW_PASSWORD);
    assert.deepEqual(await eventsOf(person), []);
  });

  test('by an administrator is told', async () => {
    const person = await holdall.register();
    const admin = await holdall.admin();
    const users = `/api/admin/users/${person.id}`;
    await setUpTotp(person, clock);
    await admin.ask('DELETE', `${users}/second-factors`);
    await admin.ask('DELETE', `${users}/second-factors`);
    await admin.ask('PUT', `${users}/password`, { body: { newPassword: NEW_PASSWORD } });
    const { temporaryPassword } = await admin.ask<{ temporaryPassword: string }>(
      'POST',
      `${users}/password/reset`,
    );
    await person.logIn(temporaryPassword);
    await person.enter('/api/user/password', { currentPassword: temporaryPassword, newPassword: PASSWORD });
    assert.deepEqual(await eventsOf(person), [
      ...['SET_UP_TOTP', 'RESET_SECOND_FACTORS', 'UPDATE_USER_PASSWORD', 'RESET_USER_PASSWORD'],
      'CHANGE_PASSWORD',
    ]);
  });

  test('on the command line is told', async () => {
    const person = await holdall.register();
    const words = ['admin', 'reset-password', person.username, '--password-stdin'];
    const { code } = await runCommand(environmentOf(holdall), words, { input: NEW_PASSWORD });
    assert.equal(code, 0);
    await person.logIn(NEW_PASSWORD);
    assert.deepEqual(await eventsOf(person), ['RESET_USER_PASSWORD']);
  });
});
