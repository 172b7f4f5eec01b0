// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { ChangedProfile, ProfileBody, User } from '../../../src/accounts/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { applicationOf, type LoginState, PASSWORD, type Person } from '../../support/app/person.ts';
import {
  emailOf,
  lettersTo,
  MAIL_ENVIRONMENT,
  tokenMailedTo,
  verifyEmail,
} from '../../support/mail/letters.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const REQUEST = '/api/auth/email-verification';
const CONFIRM = '/api/auth/email-verification/confirm';

const env = { ...MAIL_ENVIRONMENT, HOLDALL_RATE_LIMITS: 'off', HOLDALL_ACCESS_TOKEN_TTL: '10d' };
const holdall = await startHoldall({ env });
const { anonymous, clock } = holdall;
const { database } = holdall.app;
const { db } = database;

const change = (person: Person, body: ProfileBody) => person.ask<User>('PUT', '/api/user/profile', { body });
const isVerified = async (person: Person) =>
  (await person.ask<User>('GET', '/api/user/profile')).emailVerified;
const confirm = (token: string) => anonymous.call('POST', CONFIRM, { body: { token } });
const tokenTo = (email: string) => tokenMailedTo(holdall, email, 'VERIFICATION');
const countLetters = async (email: string) => (await lettersTo(holdall, email)).length;

const setBanned = ({ id }: Person, banned: 0 | 1) =>
  database.transact((tx) => tx.updateTable('account').set({ banned }).where('id', '=', id).execute());

async function assertUseless(token: string): Promise<void> {
  await anonymous.refused(400, 1003, 'POST', CONFIRM, { body: { token } });
}

describe('an e-mail address', () => {
  test('is verified with the link that the registration mails, by anyone who has the link', async () => {
    const ann = await holdall.register('ann');
    assert.equal(ann.login?.user.emailVerified, false);
    const [queued, ...others] = await lettersTo(holdall, emailOf(ann));
    assert.deepEqual([queued?.accountId, queued?.language, others.length], [ann.id, 'en', 0]);
    assert.deepEqual(Object.keys(queued?.letter ?? {}), ['kind', 'token'], 'no text that users choose');
    assert.equal((await confirm(await tokenTo(emailOf(ann)))).data, null);
    assert.equal(await isVerified(ann), true);
    await ann.logIn();
    assert.equal(ann.login?.user.emailVerified, true);
  });

  test('gets its link in the preferred language, or else in one that the client accepts', async () => {
    const register = async (preferredLanguage?: string) => {
      const username = `ann-${randomUUID().slice(0, 8)}`;
      const application = applicationOf(username, await holdall.inviteCode());
      const body = { ...application, ...(preferredLanguage === undefined ? {} : { preferredLanguage }) };
      const headers = { 'accept-language': 'zh-CN,zh;q=0.9' };
      const { user } = await anonymous.ask<LoginState>('POST', '/api/auth/register', { body, headers });
      const [queued] = await lettersTo(holdall, body.email);
      return [user.preferredLanguage, queued?.language];
    };
    assert.deepEqual(await register('en'), ['en', 'en']);
    assert.deepEqual(await register('zh-Hans'), ['zh-Hans', 'zh-CN']);
    assert.deepEqual(await register(), [null, 'zh-CN']);

    const ann = await holdall.register('ann');
    const headers = { 'accept-language': 'zh' };
    await ann.ask('POST', REQUEST, { headers });
    await ann.ask('PUT', '/api/user/profile', { body: { email: `new-${emailOf(ann)}` }, headers });
    const languages = async (email: string) => (await lettersTo(holdall, email)).map((each) => each.language);
    assert.deepEqual(await languages(emailOf(ann)), ['en', 'zh-CN']);
    assert.deepEqual(await languages(`new-${emailOf(ann)}`), ['zh-CN']);
  });

  test('is no longer verified once it is changed or removed, and the new one gets a link', async () => {
    const ann = await holdall.register('ann');
    const email = await verifyEmail(holdall, ann);
    const changed = await change(ann, { email: `new-${email}` });
    assert.equal(changed.emailVerified, false);
    await confirm(await tokenTo(`new-${email}`));
    assert.equal(await isVerified(ann), true);
    assert.equal((await change(ann, { email: null })).emailVerified, false);
    assert.equal((await change(ann, { email })).emailVerified, false);
    assert.equal(await countLetters(email), 2);
  });

  test('stays verified, and gets no mail, if the same one is sent again or another value changes', async () => {
    const ann = await holdall.register('ann');
    const email = await verifyEmail(holdall, ann);
    const same: readonly ProfileBody[] = [{ email }, { email: email.toUpperCase() }, { bio: 'hello' }];
    for (const body of same) assert.equal((await change(ann, body)).emailVerified, true);
    assert.equal((await change(ann, { email })).emailVerified, true);
    assert.equal(await countLetters(email), 1);
    const bob = await holdall.register('bob');
    await change(bob, { email: emailOf(bob), displayName: 'Bob' });
    assert.equal(await countLetters(emailOf(bob)), 1, 'an unverified address gets no second mail');
  });

  test('can be replaced or removed only with a login of the last 15 minutes or the password', async () => {
    const ann = await holdall.register('ann');
    const email = await verifyEmail(holdall, ann);
    clock.advance(15 * MINUTE + 1);
    await ann.enter('/api/auth/refresh', { refreshToken: ann.login?.refreshToken });
    const body = { email: `new-${email}` };
    await ann.refused(403, 1002, 'PUT', '/api/user/profile', { body });
    const wrong = { ...body, password: 'a wrong password' };
    await ann.refused(400, 1003, 'PUT', '/api/user/profile', { body: wrong });
    await ann.refused(403, 1002, 'PUT', '/api/user/profile', { body: { email: null } });
    assert.equal(await isVerified(ann), true);
    assert.equal(await countLetters(`new-${email}`), 0);
    await change(ann, { email, displayName: 'Ann' });
    assert.equal((await change(ann, { ...body, password: PASSWORD })).email, `new-${email}`);
    assert.equal((await change(ann, { email: null })).email, null, 'it is not verified');
    await ann.refused(403, 1002, 'PUT', '/api/user/profile', { body });
    await ann.logIn();
    assert.equal((await change(ann, body)).email, `new-${email}`);
  });

  test('keeps this protection while mail is off, but only if it is verified', async () => {
    const { anonymous: stranger } = await startHoldall({ beside: holdall });
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const email = await verifyEmail(holdall, ann);
    clock.advance(15 * MINUTE + 1);
    for (const person of [ann, bob]) {
      await person.enter('/api/auth/refresh', { refreshToken: person.login?.refreshToken });
    }
    const [silentAnn, silentBob] = [stranger.with(ann.login), stranger.with(bob.login)];
    for (const changed of [null, `new-${email}`]) {
      await silentAnn.refused(403, 1002, 'PUT', '/api/user/profile', { body: { email: changed } });
    }
    const body = { email: `new-${email}`, password: PASSWORD };
    const answer = await silentAnn.ask<ChangedProfile>('PUT', '/api/user/profile', { body });
    assert.deepEqual([answer.email, answer.verificationMailed], [`new-${email}`, undefined]);
    assert.equal((await change(silentBob, { email: `new-${emailOf(bob)}` })).emailVerified, false);
  });

  test('keeps its state if the change fails', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    await verifyEmail(holdall, ann);
    await ann.refused(409, 1003, 'PUT', '/api/user/profile', { body: { email: emailOf(bob) } });
    assert.equal(await isVerified(ann), true);
    assert.equal(await countLetters(emailOf(bob)), 1);
  });
});

describe('a link that verifies an address', () => {
  test('works once, and then no other link of the account does', async () => {
    const ann = await holdall.register('ann');
    const first = await tokenTo(emailOf(ann));
    await ann.ask('POST', REQUEST);
    const second = await tokenTo(emailOf(ann));
    assert.notEqual(first, second);
    assert.equal((await confirm(first)).status, 200);
    await assertUseless(first);
    await assertUseless(second);
  });

  test('works for a day', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const [first, second] = [await tokenTo(emailOf(ann)), await tokenTo(emailOf(bob))];
    clock.advance(DAY - MINUTE);
    assert.equal((await confirm(first)).status, 200);
    clock.advance(MINUTE);
    await assertUseless(second);
  });

  test('is good only for the address that it was mailed to', async () => {
    const ann = await holdall.register('ann');
    const email = emailOf(ann);
    const token = await tokenTo(email);
    await change(ann, { email: `new-${email}` });
    await assertUseless(token);
    assert.equal(await isVerified(ann), false);
    // Someone else who takes the address does not get it verified by the first owner's link.
    const bob = await holdall.register('bob');
    await change(bob, { email });
    await assertUseless(token);
    assert.equal(await isVerified(bob), false);
  });

  test('is not good for a banned account', async () => {
    const ann = await holdall.register('ann');
    const token = await tokenTo(emailOf(ann));
    await setBanned(ann, 1);
    await assertUseless(token);
    await setBanned(ann, 0);
    assert.equal((await confirm(token)).status, 200);
  });
});

describe('the request for a link', () => {
  test('is 400 without an address, or if the address is verified', async () => {
    const ann = await holdall.register('ann');
    await verifyEmail(holdall, ann);
    await ann.refused(400, 1003, 'POST', REQUEST);
    await change(ann, { email: null });
    await ann.refused(400, 1003, 'POST', REQUEST);
  });

  test('needs a login of the last 15 minutes, or the password', async () => {
    await anonymous.refused(401, 1001, 'POST', REQUEST);
    const ann = await holdall.register('ann');
    clock.advance(15 * MINUTE + 1);
    await ann.refused(403, 1002, 'POST', REQUEST);
    await ann.refused(400, 1003, 'POST', REQUEST, { body: { password: 'a wrong password' } });
    assert.equal(await countLetters(emailOf(ann)), 1);
    await ann.ask('POST', REQUEST, { body: { password: PASSWORD } });
    assert.equal(await countLetters(emailOf(ann)), 2);
  });
});

test('expired links are deleted by maintenance, and those of an account with the account', async () => {
  const ann = await holdall.register('ann');
  const tokensOf = async (id: number) =>
    (await db.selectFrom('account_token').select('account_id').where('account_id', '=', id).execute()).length;
  assert.equal(await tokensOf(ann.id), 1);
  await holdall.app.accounts.mailedTokens.deleteExpired(new AbortController().signal);
  assert.equal(await tokensOf(ann.id), 1);
  clock.advance(DAY);
  await holdall.app.accounts.mailedTokens.deleteExpired(new AbortController().signal);
  assert.equal(await tokensOf(ann.id), 0);

  const bob = await holdall.register('bob');
  const admin = await holdall.admin();
  await admin.ask('DELETE', `/api/admin/users/${bob.id}`, { body: { username: bob.username } });
  await holdall.app.cleanUp();
  assert.equal(await tokensOf(bob.id), 0);
});
