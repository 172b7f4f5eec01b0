// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CreationOptions } from '../../src/accounts/passkeys/contract.ts';
import type { TotpEnrolment } from '../../src/accounts/second-factor/contract.ts';
import { asProgram, createAppPassword } from '../support/app/app-passwords.ts';
import { environmentOf, runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { type LoginState, PASSWORD, type Person } from '../support/app/person.ts';
import { codeAt, securityOf, setUpTotp, TOTP_PATH } from '../support/app/second-factor.ts';
import { addPasskey, PASSKEYS, SoftwareAuthenticator } from '../support/app/software-authenticator.ts';
import { Browser } from '../support/sign-on/browser.ts';
import { startProvider } from '../support/sign-on/test-provider.ts';

const MINUTE = 60_000;
const LINK = '/api/user/identities/oidc';
const PASSWORD_PATH = '/api/user/password';

const provider = await startProvider();
const env = provider.env({ HOLDALL_OIDC_REGISTER: 'on', HOLDALL_DEV_LOGIN: 'true' });
const holdall = await startHoldall({ env: { ...env, HOLDALL_TRUST_PROXY: '1' } });
provider.admitClients(holdall.url);
const { clock } = holdall;

/** Refreshes a login. This proves nothing: a thief of the refresh token could do it as well. */
async function refresh(person: Person): Promise<Person> {
  const body = { refreshToken: person.login?.refreshToken };
  return person.with(await person.with(undefined).ask<LoginState>('POST', '/api/auth/refresh', { body }));
}

/** Registers a person with a login older than 15 minutes and a new access token. */
async function registerLongAgo(name: string): Promise<Person> {
  const person = await holdall.register(name);
  clock.advance(15 * MINUTE + 1);
  return refresh(person);
}

const ADDITIONS = [
  ['a passkey', `${PASSKEYS}/options`],
  ['an authenticator app', TOTP_PATH],
  ['an identity', LINK],
] as const;

describe('adding a way to log in or a factor', () => {
  for (const [what, path] of ADDITIONS) {
    test(`needs a login of the last 15 minutes, not a refresh, or the password: ${what}`, async () => {
      const ann = await holdall.register('ann');
      clock.advance(14 * MINUTE);
      await ann.ask('POST', path);
      clock.advance(MINUTE + 1);
      const later = await refresh(ann);
      await later.refused(403, 1002, 'POST', path);
      await later.refused(403, 1002, 'POST', path, { body: {} });
      await later.refused(400, 1003, 'POST', path, { body: { password: 'not the password' } });
      await later.ask('POST', path, { body: { password: PASSWORD } });
      const again = await ann.with(undefined).logIn();
      await again.ask('POST', path);
    });

    test(`is rejected with a wrong password even after a recent login: ${what}`, async () => {
      const ann = await holdall.register('ann');
      await ann.refused(400, 1003, 'POST', path, { body: { password: 'not the password' } });
    });
  }

  test('counts wrong passwords in the limit of attempts', async () => {
    const ann = await registerLongAgo('ann');
    const body = { password: 'not the password' };
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    for (let count = 0; count < 10; count += 1) {
      const [, path] = ADDITIONS[count % ADDITIONS.length] ?? ADDITIONS[0];
      await ann.refused(400, 1003, 'POST', path, { body, headers });
    }
    for (const [, path] of ADDITIONS) {
      const answer = await ann.call('POST', path, { body: { password: PASSWORD }, headers });
      assert.equal(answer.status, 429);
    }
  });

  test('changes nothing when it is rejected', async () => {
    const ann = await registerLongAgo('ann');
    for (const [, path] of ADDITIONS) await ann.refused(403, 1002, 'POST', path);
    await ann.refused(404, 1003, 'POST', `${TOTP_PATH}/confirm`, { body: { code: '123456' } });
    const { totp, passkeys, identities } = await securityOf(ann);
    assert.deepEqual({ totp, passkeys, identities }, { totp: false, passkeys: 0, identities: [] });
  });

  test('a challenge for a passkey cannot be used by another session of the account', async () => {
    const ann = await holdall.register('ann');
    const other = await ann.with(undefined).logIn(PASSWORD, 'mobile');
    const options = await ann.ask<CreationOptions>('POST', `${PASSKEYS}/options`);
    const credential = new SoftwareAuthenticator(holdall.url).create(options);
    const body = { name: 'stolen', credential };
    await other.refused(400, 1003, 'POST', PASSKEYS, { body });
    await ann.ask('POST', PASSKEYS, { body });
  });

  test('an authenticator app cannot be confirmed by another session of the account', async () => {
    const ann = await holdall.register('ann');
    const other = await ann.with(undefined).logIn(PASSWORD, 'mobile');
    const { secret } = await ann.ask<TotpEnrolment>('POST', TOTP_PATH);
    const body = { code: codeAt(secret, clock.now()) };
    await other.refused(404, 1003, 'POST', `${TOTP_PATH}/confirm`, { body });
    assert.equal((await securityOf(ann)).totp, false);
    const later = await refresh(ann);
    await later.ask('POST', `${TOTP_PATH}/confirm`, { body });
    assert.equal((await securityOf(later)).totp, true);
  });

  test('an authenticator app must be confirmed within an hour', async () => {
    const ann = await holdall.register('ann');
    const { secret } = await ann.ask<TotpEnrolment>('POST', TOTP_PATH);
    clock.advance(60 * MINUTE);
    const later = await refresh(ann);
    const confirm = (of: string) =>
      later.call('POST', `${TOTP_PATH}/confirm`, { body: { code: codeAt(of, clock.now()) } });
    assert.equal((await confirm(secret)).status, 404);
    const again = await later.ask<TotpEnrolment>('POST', TOTP_PATH, { body: { password: PASSWORD } });
    clock.advance(10 * MINUTE);
    assert.equal((await confirm(again.secret)).status, 200);
  });
});

describe('removing a way to log in', () => {
  const prepare = async () => {
    const ann = await holdall.register('ann');
    const { record } = await addPasskey(ann);
    await new Browser(holdall.url).link(ann, ann.username);
    const [identity] = (await securityOf(ann)).identities;
    return { ann, paths: [`${PASSKEYS}/${record.id}`, `/api/user/identities/${identity?.id}`] };
  };

  test('needs a login of the last 15 minutes, not a refresh, or the password', async () => {
    const { ann, paths } = await prepare();
    clock.advance(15 * MINUTE + 1);
    const later = await refresh(ann);
    for (const path of paths) {
      await later.refused(403, 1002, 'DELETE', path);
      await later.refused(400, 1003, 'DELETE', path, { body: { password: 'not the password' } });
    }
    const { passkeys, identities } = await securityOf(later);
    assert.deepEqual([passkeys, identities.length], [1, 1]);
    for (const path of paths) await later.ask('DELETE', path, { body: { password: PASSWORD } });
    const left = await securityOf(later);
    assert.deepEqual([left.passkeys, left.identities.length], [0, 0]);
  });

  test('needs no password after a recent login', async () => {
    const { ann, paths } = await prepare();
    for (const path of paths) await ann.ask('DELETE', path);
  });
});

describe('an account without a password', () => {
  const newPassword = 'chosen at last 7';

  test('gets a first password within 15 minutes of a login', async () => {
    const zoe = await new Browser(holdall.url).logIn('zoe');
    await zoe.refused(400, 1000, 'POST', PASSWORD_PATH, { body: { newPassword: 'short' } });
    const other = await new Browser(holdall.url).logIn('zoe');
    const state = await other.ask<LoginState>('POST', PASSWORD_PATH, { body: { newPassword } });
    await other.refused(401, 1001, 'GET', '/api/user/profile');
    assert.equal((await securityOf(other.with(state))).hasPassword, true);
    await other.with(state).refused(400, 1000, 'POST', PASSWORD_PATH, { body: { newPassword } });
    const body = { username: 'zoe', password: newPassword };
    await zoe.with(undefined).ask('POST', '/api/auth/login', { body });
  });

  test('is told to log in again when the login is older', async () => {
    const yan = await new Browser(holdall.url).logIn('yan');
    clock.advance(15 * MINUTE + 1);
    const later = await refresh(yan);
    await later.refused(403, 1002, 'POST', PASSWORD_PATH, { body: { newPassword } });
    await later.refused(403, 1002, 'POST', `${PASSKEYS}/options`, { body: { password: newPassword } });
    assert.equal((await securityOf(later)).hasPassword, false);
    const again = await new Browser(holdall.url).logIn('yan');
    await again.ask('POST', PASSWORD_PATH, { body: { newPassword } });
  });

  test('gets a password from an admin and from the command line', async () => {
    const admin = await holdall.admin();
    const will = await new Browser(holdall.url).logIn('will');
    const { temporaryPassword } = await admin.ask<{ temporaryPassword: string }>(
      'POST',
      `/api/admin/users/${will.id}/password/reset`,
    );
    const logIn = (password: string) =>
      will.with(undefined).call('POST', '/api/auth/login', { body: { username: 'will', password } });
    assert.equal((await logIn(temporaryPassword)).status, 200);
    const vera = await new Browser(holdall.url).logIn('vera');
    await admin.ask('PUT', `/api/admin/users/${vera.id}/password`, { body: { newPassword } });
    const reset = await runCommand(environmentOf(holdall), ['admin', 'reset-password', 'will']);
    assert.equal(reset.code, 0);
    const printed = /password: (\S+)/.exec(reset.said.join('\n'))?.[1] ?? '';
    assert.equal((await logIn(printed)).status, 200);
  });
});

describe('a new password', () => {
  for (const [who, change] of [
    [
      'an admin',
      async (person: Person) =>
        (await holdall.admin()).ask('POST', `/api/admin/users/${person.id}/password/reset`),
    ],
    [
      'the command line',
      (person: Person) => runCommand(environmentOf(holdall), ['admin', 'reset-password', person.username]),
    ],
  ] as const) {
    test(`by ${who} ends sessions and app passwords, and stops what a thief was setting up`, async () => {
      const ann = await holdall.register('ann');
      const thief = await ann.with(undefined).logIn(PASSWORD, 'mobile');
      const program = asProgram(ann, (await createAppPassword(thief)).password);
      const options = await thief.ask<CreationOptions>('POST', `${PASSKEYS}/options`);
      const browser = new Browser(holdall.url);
      const callback = await browser.logInAtProvider(`thief-${who}`, await browser.startLinking(thief));
      await change(ann);
      await thief.refused(401, 1001, 'GET', '/api/user/profile');
      await program.refused(401, 1001, 'GET', '/api/files/list?path=/');
      const credential = new SoftwareAuthenticator(holdall.url).create(options);
      await thief.refused(401, 1001, 'POST', PASSKEYS, { body: { name: 'x', credential } });
      assert.deepEqual((await browser.openCallback(callback)).fragment, { error: 'expired' });
    });
  }

  test('of the owner stops what a thief was setting up', async () => {
    const ann = await holdall.register('ann');
    const thief = await ann.with(undefined).logIn(PASSWORD, 'mobile');
    const options = await thief.ask<CreationOptions>('POST', `${PASSKEYS}/options`);
    const newPassword = `${PASSWORD}!`;
    const body = { currentPassword: PASSWORD, newPassword };
    const owner = ann.with(await ann.ask<LoginState>('POST', PASSWORD_PATH, { body }));
    const credential = new SoftwareAuthenticator(holdall.url).create(options);
    await thief.refused(401, 1001, 'POST', PASSKEYS, { body: { name: 'x', credential } });
    await owner.refused(400, 1003, 'POST', PASSKEYS, { body: { name: 'x', credential } });
    // The new session of the owner counts as a login.
    await setUpTotp(owner, clock);
  });
});
