// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuthMethods, SecurityChange } from '../../../src/accounts/security/contract.ts';
import { MAX_WAITING_MAILS } from '../../../src/mail/queue.ts';
import { asAdmin } from '../../support/app/admin.ts';
import { asProgram, createAppPassword } from '../../support/app/app-passwords.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD, type Person } from '../../support/app/person.ts';
import { securityOf, setUpTotp } from '../../support/app/second-factor.ts';
import { emailOf, lettersTo, MAIL_ENVIRONMENT, mailReset, verifyEmail } from '../../support/mail/letters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RESET = '/api/auth/password-reset';
const CONFIRM = '/api/auth/password-reset/confirm';
const NEW_PASSWORD = 'the password after the reset';

const env = { ...MAIL_ENVIRONMENT, HOLDALL_RATE_LIMITS: 'off', HOLDALL_ACCESS_TOKEN_TTL: '10d' };
const holdall = await startHoldall({ env });
const { anonymous, clock } = holdall;
const { database } = holdall.app;
const { db } = database;
const admin = await holdall.admin();

const confirm = (token: string, newPassword = NEW_PASSWORD) =>
  anonymous.call('POST', CONFIRM, { body: { token, newPassword } });
const resetsTo = async (email: string) =>
  (await lettersTo(holdall, email)).filter(({ letter }) => letter.kind === 'PASSWORD_RESET');

async function registerVerified(name = 'ann'): Promise<{ person: Person; email: string }> {
  const person = await holdall.register(name);
  return { person, email: await verifyEmail(holdall, person) };
}

const updateAccount = ({ id }: Person, changes: { must_change_password?: 1; password_hash?: null }) =>
  database.transact((tx) => tx.updateTable('account').set(changes).where('id', '=', id).execute());
const deleteAccount = ({ id, username }: Person) =>
  admin.ask('DELETE', `/api/admin/users/${id}`, { body: { username } });

async function assertUseless(token: string): Promise<void> {
  await anonymous.refused(400, 1003, 'POST', CONFIRM, { body: { token, newPassword: NEW_PASSWORD } });
}

describe('a mailed link for a new password', () => {
  test('sets the password, and ends every session and app password, but no second factor', async () => {
    const { person, email } = await registerVerified();
    const phone = await person.with(undefined).logIn(PASSWORD, 'mobile');
    const program = asProgram(person, (await createAppPassword(person)).password);
    await setUpTotp(person, clock);
    const token = await mailReset(holdall, email);
    assert.equal((await confirm(token)).data, null);

    for (const login of [person, phone]) {
      const answer = await login.call('GET', '/api/user/profile');
      assert.equal(answer.status, 401);
      assert.match(answer.msg, /password was changed/);
      const body = { refreshToken: login.login?.refreshToken };
      assert.equal((await anonymous.call('POST', '/api/auth/refresh', { body })).status, 401);
    }
    assert.equal((await program.call('GET', '/api/user/profile')).status, 401);
    const wrong = { username: person.username, password: PASSWORD };
    await anonymous.refused(401, 1001, 'POST', '/api/auth/login', { body: wrong });
    const right = { username: person.username, password: NEW_PASSWORD };
    const answer = await anonymous.call<{ ticket: string }>('POST', '/api/auth/login', { body: right });
    assert.equal(answer.status, 401);
    assert.ok(answer.data.ticket, 'the login asks for a code');
  });

  test('is in the letter to the account, in the language of its owner', async () => {
    const { person, email } = await registerVerified();
    const headers = { 'accept-language': 'zh-CN' };
    const stranger = await registerVerified('bob');
    await anonymous.ask('POST', RESET, { body: { email: stranger.email }, headers });
    assert.equal((await resetsTo(stranger.email))[0]?.language, 'zh-CN', 'that of the request otherwise');
    const profile = { preferredLanguage: 'zh-Hans', displayName: 'Ann Lee' };
    await person.ask('PUT', '/api/user/profile', { body: profile });
    await anonymous.ask('POST', RESET, { body: { email: ` ${email.toUpperCase()} ` } });
    const [queued] = await resetsTo(email);
    assert.deepEqual([queued?.accountId, queued?.language], [person.id, 'zh-CN']);
    assert.ok(queued?.letter.kind === 'PASSWORD_RESET' && queued.letter.displayName === 'Ann Lee');
    assert.match(queued.letter.token, /^[\w-]{43}$/);
  });

  test('works once, and is stored as a hash only', async () => {
    const { email } = await registerVerified();
    const token = await mailReset(holdall, email);
    assert.ok(!JSON.stringify(await db.selectFrom('account_token').selectAll().execute()).includes(token));
    assert.ok(!JSON.stringify(await db.selectFrom('mail').selectAll().execute()).includes(token));
    assert.equal((await confirm(token)).status, 200);
    await assertUseless(token);
  });

  test('works for an hour', async () => {
    const { email } = await registerVerified();
    const token = await mailReset(holdall, email);
    clock.advance(HOUR);
    await assertUseless(token);
    const next = await mailReset(holdall, email);
    clock.advance(HOUR - MINUTE);
    assert.equal((await confirm(next)).status, 200);
  });

  test('is not used up by a password that breaks a rule', async () => {
    const { person, email } = await registerVerified();
    const token = await mailReset(holdall, email);
    for (const bad of ['short', 'password1', person.username]) {
      const body = { token, newPassword: bad };
      await anonymous.refused(400, 1000, 'POST', CONFIRM, { body });
    }
    assert.equal((await confirm(token)).status, 200);
    // The rules are not a way to find out whether a token is right without sending a good password.
    const body = { token: 'no such token', newPassword: 'short' };
    await anonymous.refused(400, 1003, 'POST', CONFIRM, { body });
  });

  test('ends with another reset, another password and another address', async () => {
    const { person, email } = await registerVerified();
    const [first, second] = [await mailReset(holdall, email), await mailReset(holdall, email)];
    assert.equal((await confirm(first)).status, 200);
    await assertUseless(second);

    const third = await mailReset(holdall, email);
    await person.logIn(NEW_PASSWORD);
    const passwords = { currentPassword: NEW_PASSWORD, newPassword: PASSWORD };
    await person.enter('/api/user/password', passwords);
    await assertUseless(third);

    const fourth = await mailReset(holdall, email);
    await person.ask('PUT', '/api/user/profile', { body: { email: `new-${email}` } });
    await assertUseless(fourth);
    await person.ask('PUT', '/api/user/profile', { body: { email } });
    await assertUseless(fourth);

    await verifyEmail(holdall, person);
    const fifth = await mailReset(holdall, email);
    const body = { newPassword: 'a password from the admin' };
    await admin.ask('PUT', `/api/admin/users/${person.id}/password`, { body });
    await assertUseless(fifth);
  });

  test('is useless once the account is banned or being deleted', async () => {
    for (const act of ['ban', 'delete'] as const) {
      const { person, email } = await registerVerified();
      const token = await mailReset(holdall, email);
      if (act === 'ban') await asAdmin(admin).user(person, 'status', { banned: true });
      else await deleteAccount(person);
      await assertUseless(token);
    }
  });

  test('is not good for the address, nor a link for the address good for a password', async () => {
    const { email } = await registerVerified();
    const reset = await mailReset(holdall, email);
    const body = { token: reset };
    await anonymous.refused(400, 1003, 'POST', '/api/auth/email-verification/confirm', { body });
    const bob = await holdall.register('bob');
    const [verification] = await lettersTo(holdall, emailOf(bob));
    assert.ok(verification?.letter.kind === 'VERIFICATION');
    await assertUseless(verification.letter.token);
    assert.equal((await confirm(reset)).status, 200);
  });

  test('lets a user who must change the password choose it, and is in the security log', async () => {
    const { person, email } = await registerVerified();
    await updateAccount(person, { must_change_password: 1 });
    assert.equal((await confirm(await mailReset(holdall, email))).status, 200);
    await person.logIn(NEW_PASSWORD);
    assert.equal(person.login?.mustChangePassword, false);
    const [change] = await person.ask<SecurityChange[]>('GET', '/api/user/security/changes');
    assert.deepEqual([change?.action, change?.byOwner], ['RESET_PASSWORD', true]);
    assert.equal((await securityOf(person)).hasPassword, true);
  });
});

describe('a request for a new password', () => {
  test('answers alike and mails nothing to an address that no verified account with a password has', async () => {
    const unverified = await holdall.register('ann');
    const banned = await registerVerified();
    await asAdmin(admin).user(banned.person, 'status', { banned: true });
    const withoutPassword = await registerVerified();
    await updateAccount(withoutPassword.person, { password_hash: null });
    const known = await registerVerified();
    const answers = new Set<string>();
    const emails = [emailOf(unverified), banned.email, withoutPassword.email, 'nobody@example.org'];
    for (const email of [...emails, known.email]) {
      const response = await anonymous.fetch('POST', RESET, { body: { email } });
      answers.add(`${response.status} ${await response.text()}`);
    }
    assert.deepEqual([...answers], ['200 {"code":0,"msg":"success","data":null}']);
    for (const email of emails) assert.deepEqual(await resetsTo(email), []);
    assert.equal((await resetsTo(known.email)).length, 1);
  });

  test('runs as many statements for an unknown address as for a known one', async () => {
    const statements: string[] = [];
    const countsWaiting: boolean[] = [];
    const counted = await startHoldall({
      beside: holdall,
      env,
      onQuery: ({ sql, parameters }) => {
        if (isOfRequest(sql)) statements.push(sql);
        if (/as "waiting" from \(/.test(sql)) countsWaiting.push(parameters.includes(MAX_WAITING_MAILS));
      },
    });
    const { email } = await registerVerified();
    const count = async (address: string) => {
      statements.length = 0;
      await counted.app.accounts.passwordReset.request(address, '127.0.0.1', null);
      return statements.map((sql) => sql.replaceAll(/\s+/g, ' ').slice(0, 12));
    };
    await count('first@example.org');
    const [unknown, known] = [await count('nobody@example.org'), await count(email)];
    assert.ok(unknown.length >= 6, unknown.join('\n'));
    assert.equal(known.length, unknown.length, [...known, '', ...unknown].join('\n'));
    assert.deepEqual(countsWaiting, [true, true, true]);
  });

  test('gives an account at most five links that work', async () => {
    const { email } = await registerVerified();
    const tokens: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      clock.advance(1);
      tokens.push(await mailReset(holdall, email));
    }
    const live = await db.selectFrom('account_token').selectAll().where('folded_email', '=', email).execute();
    assert.equal(live.length, 5);
    for (const token of tokens.slice(0, 2)) await assertUseless(token);
    assert.equal((await confirm(tokens[2] ?? '')).status, 200);
  });

  test('is 400 for a text that is no address', async () => {
    for (const email of [
      '',
      'nobody',
      'a@b',
      `${'a'.repeat(200)}@example.org`,
      'a@example.org\r\nBcc: b@c.de',
    ])
      await anonymous.refused(400, 1000, 'POST', RESET, { body: { email } });
  });
});

test('without mail, no link can be requested, and the login page knows', async () => {
  const { app, anonymous: stranger } = await startHoldall({ beside: holdall });
  const person = await holdall.register('ann');
  await stranger.refused(400, 1003, 'POST', RESET, { body: { email: emailOf(person) } });
  const login = stranger.with(person.login);
  await login.refused(400, 1003, 'POST', '/api/auth/email-verification');
  const methods = (who: Person) => who.ask<AuthMethods>('GET', '/api/auth/methods');
  assert.equal((await methods(stranger)).passwordReset, false);
  assert.equal((await methods(anonymous)).passwordReset, true);
  assert.equal(app.mail.isOn, false);
});

/** Whether a statement belongs to a request, and not to what the service does all the time. */
function isOfRequest(sql: string): boolean {
  return !/"storage_policy"|request_count|active_day|last_activity/.test(sql);
}
