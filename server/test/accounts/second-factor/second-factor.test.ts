// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { deleteExpiredLoginTickets } from '../../../src/accounts/accounts.ts';
import { asAdmin } from '../../support/app/admin.ts';
import { asProgram, createAppPassword } from '../../support/app/app-passwords.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD, type Person } from '../../support/app/person.ts';
import {
  Authenticator,
  beginLogin,
  codeAt,
  finishLogin,
  logInWith,
  securityOf,
  setUpTotp,
  TOTP_PATH,
} from '../../support/app/second-factor.ts';

const MINUTE = 60_000;
const STEP = 30_000;

const env = { HOLDALL_DEV_LOGIN: 'true', HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const { clock } = holdall;
const { db } = holdall.app.database;

const assertRejected = (person: Person, ticket: string, code: string) =>
  person.with(undefined).refused(401, 1001, 'POST', '/api/auth/second-factor', { body: { ticket, code } });

/** Returns what a 401 of the second step requires: `login` if the login has to be started again. */
async function requiredAfter(ticket: string, code: string): Promise<string | null> {
  const response = await fetch(`${holdall.url}/api/auth/second-factor`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket, code }),
  });
  assert.equal(response.status, 401);
  return response.headers.get('x-service-required');
}

describe('an account without a second factor', () => {
  test('logs in with the password alone, even if a setup was started and not confirmed', async () => {
    const ann = await holdall.register('ann');
    assert.deepEqual(await securityOf(ann), {
      totp: false,
      recoveryCodesLeft: 0,
      passkeys: 0,
      identities: [],
      hasPassword: true,
      hasSecondFactor: false,
      generatedPassword: false,
      secondFactorRequired: false,
    });
    await ann.ask('POST', TOTP_PATH);
    await ann.logIn();
    assert.equal((await securityOf(ann)).totp, false);
    await ann.refused(404, 1003, 'DELETE', TOTP_PATH, { body: { password: PASSWORD } });
  });

  test('cannot confirm an app or renew recovery codes', async () => {
    const ann = await holdall.register('ann');
    await ann.refused(404, 1003, 'POST', `${TOTP_PATH}/confirm`, { body: { code: '123456' } });
    await ann.refused(404, 1003, 'POST', `${TOTP_PATH}/recovery-codes`, { body: { password: PASSWORD } });
  });
});

describe('setting up an authenticator app', () => {
  test('needs a code of the app, and returns ten recovery codes once', async () => {
    const ann = await holdall.register('ann');
    const { secret, otpauthUri } = await ann.ask<{ secret: string; otpauthUri: string }>('POST', TOTP_PATH);
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.equal(new URL(otpauthUri).searchParams.get('secret'), secret);
    const { wrongCode } = bindAuthenticator(secret);
    for (const code of [wrongCode(), '', '12345', codeAt(secret, clock.now() - 3 * STEP)]) {
      await ann.refused(400, 1003, 'POST', `${TOTP_PATH}/confirm`, { body: { code } });
    }
    assert.equal((await securityOf(ann)).totp, false);
    const body = { code: codeAt(secret, clock.now()) };
    const { recoveryCodes } = await ann.ask<{ recoveryCodes: string[] }>('POST', `${TOTP_PATH}/confirm`, {
      body,
    });
    assert.equal(new Set(recoveryCodes).size, 10);
    const { totp, recoveryCodesLeft } = await securityOf(ann);
    assert.deepEqual([totp, recoveryCodesLeft], [true, 10]);
    await ann.refused(409, 1003, 'POST', `${TOTP_PATH}/confirm`, { body });
    await ann.refused(409, 1003, 'POST', TOTP_PATH);
  });

  test('can be restarted, which replaces the earlier secret', async () => {
    const ann = await holdall.register('ann');
    const first = await ann.ask<{ secret: string }>('POST', TOTP_PATH);
    await setUpTotp(ann, clock);
    await assertRejected(ann, await beginLogin(ann), codeAt(first.secret, clock.now() + STEP));
  });

  test('stores the secret encrypted and the recovery codes hashed', async () => {
    const ann = await holdall.register('ann');
    const { secret, recoveryCodes } = await setUpTotp(ann, clock);
    const row = await db
      .selectFrom('totp')
      .selectAll()
      .where('account_id', '=', ann.id)
      .executeTakeFirstOrThrow();
    const bytes = Buffer.from(row.sealed_secret, 'base64url');
    assert(!bytes.includes(decodeBase32(secret)));
    assert(!row.sealed_secret.includes(secret));
    const codes = await db
      .selectFrom('recovery_code')
      .select('code_hash')
      .where('account_id', '=', ann.id)
      .execute();
    const hashes = recoveryCodes.map((code) =>
      createHash('sha256').update(code.replaceAll('-', '')).digest('hex'),
    );
    assert.deepEqual(codes.map((code) => code.code_hash).sort(), hashes.sort());
  });

  test('does not work with a secret that was copied from the row of another account', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const [annsApp] = [await setUpTotp(ann, clock), await setUpTotp(bob, clock)];
    await holdall.app.database.transact(async (tx) => {
      const row = await tx
        .selectFrom('totp')
        .select('sealed_secret')
        .where('account_id', '=', ann.id)
        .executeTakeFirstOrThrow();
      await tx.updateTable('totp').set(row).where('account_id', '=', bob.id).execute();
    });
    await assertRejected(bob, await beginLogin(bob), annsApp.nextCode());
  });
});

describe('a login with a second factor', () => {
  test('needs the password and a code, which works once', async () => {
    clock.stop();
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    await assertRejected(ann, await beginLogin(ann), app.code());
    const code = app.nextCode();
    const session = await logInWith(ann, `${code.slice(0, 3)} ${code.slice(3)}`);
    await session.ask('GET', '/api/user/profile');
    await session.ask('GET', '/api/files/list?path=/');
    await assertRejected(ann, await beginLogin(ann), code);
    // An earlier code is not accepted after a later one.
    await assertRejected(ann, await beginLogin(ann), app.code(-1));
    await logInWith(ann, app.code(1));
    await ann.with(undefined).refused(401, 1001, 'POST', '/api/auth/login', {
      body: { username: ann.username, password: 'wrong guess' },
    });
  });

  test('accepts codes that are at most one step early or late', async () => {
    clock.stop();
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    clock.advance(10 * STEP);
    for (const steps of [-2, 2]) await assertRejected(ann, await beginLogin(ann), app.code(steps));
    await logInWith(ann, app.code(-1));
    await logInWith(ann, app.code(0));
    await logInWith(ann, app.code(1));
  });

  test('accepts each of the account’s ten recovery codes once, and no others', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const { recoveryCodes } = await setUpTotp(ann, clock);
    const others = await setUpTotp(bob, clock);
    await assertRejected(ann, await beginLogin(ann), others.recoveryCodes[0] ?? '');
    for (const [index, code] of recoveryCodes.entries()) {
      const typed = index % 2 === 0 ? code : code.replaceAll('-', '').toLowerCase();
      const session = await logInWith(ann, typed);
      assert.equal((await securityOf(session)).recoveryCodesLeft, 9 - index);
      await assertRejected(ann, await beginLogin(ann), code);
    }
    await assertRejected(ann, await beginLogin(ann), 'AAAA-AAAA-AAAA-AAAA');
  });

  test('keeps the ticket valid after a wrong code, and invalidates it after a success', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    const ticket = await beginLogin(ann);
    await assertRejected(ann, ticket, app.wrongCode());
    await assertRejected(ann, ticket, 'not a code at all');
    assert.equal((await finishLogin(ann, ticket, app.nextCode())).code, 0);
    await assertRejected(ann, ticket, app.recoveryCodes[0] ?? '');
    assert.equal((await securityOf(await logInWith(ann, app.nextCode()))).recoveryCodesLeft, 10);
  });

  test('distinguishes a wrong code from a login that has to be started again', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    const ticket = await beginLogin(ann);
    assert.equal(await requiredAfter(ticket, app.wrongCode()), null);
    assert.equal((await finishLogin(ann, ticket, app.nextCode())).code, 0);
    assert.equal(await requiredAfter(ticket, app.nextCode()), 'login', 'used');
    const old = await beginLogin(ann);
    clock.advance(5 * 60_000);
    assert.equal(await requiredAfter(old, app.nextCode()), 'login', 'expired');
    assert.equal(await requiredAfter('not.genuine', app.nextCode()), 'login');
    const useless = await beginLogin(ann);
    const admin = await holdall.admin();
    await admin.ask('DELETE', `/api/admin/users/${ann.id}/second-factors`);
    assert.equal(await requiredAfter(useless, app.nextCode()), 'login', 'without an app');
  });

  test('refuses a ticket after five minutes, of another client type, or changed in any way', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    const old = await beginLogin(ann);
    clock.advance(5 * MINUTE);
    await assertRejected(ann, old, app.nextCode());
    const ofPhone = await beginLogin(ann, { 'x-service-client': 'mobile' });
    await assertRejected(ann, ofPhone, app.nextCode());
    const ticket = await beginLogin(ann);
    const [text = '', signature = ''] = ticket.split('.');
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, expiresAt: claims.expiresAt + 1 }));
    for (const bad of [
      ...['', '.', 'x', text, `${text}.`, `.${signature}`, `${ticket}.`, `${ticket}A`, `A${ticket}`],
      ...[`${forged.toString('base64url')}.${signature}`, `${text}.${signature.slice(1)}A`, ann.token],
    ]) {
      await assertRejected(ann, bad, app.code());
    }
    const answer = await finishLogin(ann, ofPhone, app.code(), { 'x-service-client': 'Mobile' });
    assert.equal(answer.code, 0, answer.msg);
  });

  test('cannot be finished after the password has changed, or when the account is banned', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    const ticket = await beginLogin(ann);
    await ann.enter('/api/user/password', { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` });
    await assertRejected(ann, ticket, app.nextCode());
    const bob = await holdall.register('bob');
    const bobsApp = await setUpTotp(bob, clock);
    const bobsTicket = await beginLogin(bob);
    await asAdmin(await holdall.admin()).user(bob, 'status', { banned: true });
    const body = { ticket: bobsTicket, code: bobsApp.nextCode() };
    await bob.with(undefined).refused(403, 1002, 'POST', '/api/auth/second-factor', { body });
  });

  test('starts a session for the device that finishes it', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    const device = '0b7d6a1e-5d0c-4b52-9d6f-0a8f5a2f3c11';
    const ticket = await beginLogin(ann);
    const { data } = await finishLogin(ann, ticket, app.nextCode(), { 'x-service-device': device });
    const sessions = await ann
      .with(data)
      .ask<{ device: string; current: boolean }[]>('GET', '/api/user/sessions');
    assert.equal(sessions.find(({ current }) => current)?.device, device);
  });

  test('is not needed for existing sessions and app passwords', async () => {
    const ann = await holdall.register('ann');
    const program = asProgram(ann, (await createAppPassword(ann)).password);
    await setUpTotp(ann, clock);
    await ann.ask('GET', '/api/files/list?path=/');
    await program.ask('GET', '/api/files/list?path=/');
    await ann.enter('/api/auth/refresh', { refreshToken: ann.login?.refreshToken });
  });
});

describe('what protects an account', () => {
  test('can only be weakened with the password', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    for (const [method, path] of [
      ['POST', `${TOTP_PATH}/recovery-codes`],
      ['DELETE', TOTP_PATH],
    ] as const) {
      await ann.refused(400, 1000, method, path);
      await ann.refused(400, 1000, method, path, { body: {} });
      await ann.refused(400, 1003, method, path, { body: { password: 'wrong guess' } });
    }
    const renewed = await ann.ask<{ recoveryCodes: string[] }>('POST', `${TOTP_PATH}/recovery-codes`, {
      body: { password: PASSWORD },
    });
    assert.equal(new Set([...renewed.recoveryCodes, ...app.recoveryCodes]).size, 20);
    await assertRejected(ann, await beginLogin(ann), app.recoveryCodes[0] ?? '');
    await logInWith(ann, renewed.recoveryCodes[0] ?? '');
    const session = await logInWith(ann, app.nextCode());
    assert.equal(await session.ask('DELETE', TOTP_PATH, { body: { password: PASSWORD } }), null);
    const { totp, recoveryCodesLeft } = await securityOf(session);
    assert.deepEqual([totp, recoveryCodesLeft], [false, 0]);
    await ann.with(undefined).logIn();
  });

  test('can be weakened without a password only soon after a login, if the account has no password', async () => {
    const body = { username: `dev-${clock.now()}` };
    const dev = await holdall.anonymous.with(undefined).enter('/api/auth/dev-login', body);
    assert.equal((await securityOf(dev)).hasPassword, false);
    await setUpTotp(dev, clock);
    clock.advance(5 * MINUTE + 1_000);
    await dev.enter('/api/auth/refresh', { refreshToken: dev.login?.refreshToken });
    await dev.refused(403, 1002, 'DELETE', TOTP_PATH);
    await dev.refused(403, 1002, 'POST', `${TOTP_PATH}/recovery-codes`, { body: {} });
    await dev.enter('/api/auth/dev-login', body);
    await dev.ask('POST', `${TOTP_PATH}/recovery-codes`);
    await dev.ask('DELETE', TOTP_PATH);
    assert.equal((await securityOf(dev)).totp, false);
  });

  test('cannot be seen or changed with an app password', async () => {
    const ann = await holdall.register('ann');
    const program = asProgram(ann, (await createAppPassword(ann)).password);
    await program.refused(403, 1002, 'GET', '/api/user/security');
    await program.refused(403, 1002, 'POST', TOTP_PATH);
    await program.refused(403, 1002, 'DELETE', TOTP_PATH, { body: { password: PASSWORD } });
  });
});

test('a service with another secret rejects codes of the app, but accepts recovery codes', async () => {
  const ann = await holdall.register('ann');
  const app = await setUpTotp(ann, clock);
  const other = await startHoldall({
    beside: holdall,
    env: { ...env, HOLDALL_JWT_SECRET: 'another secret of thirty-two bytes' },
  });
  const there = Object.assign(other.anonymous.with(undefined), { username: ann.username });
  const answer = await finishLogin(there, await beginLogin(there), app.nextCode());
  assert.deepEqual([answer.status, answer.code], [401, 1001]);
  const recovered = await finishLogin(there, await beginLogin(there), app.recoveryCodes[0] ?? '');
  assert.equal(recovered.code, 0);
});

test('used tickets are deleted once every instance’s clock considers them expired', async () => {
  const count = async () => (await db.selectFrom('used_login_ticket').select('id').execute()).length;
  const ann = await holdall.register('ann');
  const app = await setUpTotp(ann, clock);
  await logInWith(ann, app.nextCode());
  const { signal } = new AbortController();
  await deleteExpiredLoginTickets(holdall.app, signal);
  assert((await count()) >= 1);
  // An instance whose clock is behind would still accept these tickets, so their use must stay on record.
  clock.advance(5 * MINUTE);
  await deleteExpiredLoginTickets(holdall.app, signal);
  assert((await count()) >= 1);
  clock.advance(5 * MINUTE);
  await deleteExpiredLoginTickets(holdall.app, signal);
  assert.equal(await count(), 0);
});

test('the offered ways to sign in are the same for everyone', async () => {
  assert.deepEqual(await holdall.anonymous.ask('GET', '/api/auth/methods'), {
    passkeys: true,
    singleSignOn: null,
    registration: true,
    passwordReset: false,
  });
});

function bindAuthenticator(secret: string) {
  const app = new Authenticator(secret, [], clock);
  return { wrongCode: () => app.wrongCode() };
}

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
