// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProfileBody, User } from '../../../src/accounts/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD, type Person } from '../../support/app/person.ts';
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
    assert.equal((await confirm(await tokenTo(emailOf(ann)))).data, null);
    assert.equal(await isVerified(ann), true);
    await ann.logIn();
    assert.equal(ann.login?.user.emailVerified, true);
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

  test('can be replaced only with a login of the last 15 minutes or the password', async () => {
    const ann = await holdall.register('ann');
    const email = await verifyEmail(holdall, ann);
    clock.advance(15 * MINUTE + 1);
    await ann.enter('/api/auth/refresh', { refreshToken: ann.login?.refreshToken });
    const body = { email: `new-${email}` };
    await ann.refused(403, 1002, 'PUT', '/api/user/profile', { body });
    const wrong = { ...body, password: 'a wrong password' };
    await ann.refused(400, 1003, 'PUT', '/api/user/profile', { body: wrong });
    assert.equal(await isVerified(ann), true);
    assert.equal(await countLetters(`new-${email}`), 0);
    await change(ann, { email, displayName: 'Ann' });
    assert.equal((await change(ann, { ...body, password: PASSWORD })).email, `new-${email}`);
    assert.equal((await change(ann, { email: null })).email, null);
    await ann.logIn();
    assert.equal((await change(ann, body)).email, `new-${email}`);
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

  test('needs a login', async () => {
    await anonymous.refused(401, 1001, 'POST', REQUEST);
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
