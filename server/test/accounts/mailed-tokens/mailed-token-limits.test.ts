// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangedProfile, ProfileBody } from '../../../src/accounts/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD, type Person } from '../../support/app/person.ts';
import { emailOf, lettersTo, MAIL_ENVIRONMENT, verifyEmail } from '../../support/mail/letters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RESET = '/api/auth/password-reset';

/** Trusts the header of a reverse proxy, so that a test can choose the client address of a call. */
const env = { ...MAIL_ENVIRONMENT, HOLDALL_TRUST_PROXY: 'on', HOLDALL_ACCESS_TOKEN_TTL: '10d' };
const holdall = await startHoldall({ env });
const { anonymous, clock } = holdall;

let lastAddress = 0;
function newAddress(): string {
  lastAddress += 1;
  return `198.51.100.${lastAddress}`;
}

const PROFILE = '/api/user/profile';
const change = (person: Person, body: ProfileBody) => person.ask<ChangedProfile>('PUT', PROFILE, { body });
const request = (email: string, address = newAddress()) =>
  anonymous.call('POST', RESET, { body: { email }, headers: { 'x-forwarded-for': address } });

test('one e-mail address gets five links an hour, whoever asks, and an unknown one is limited alike', async () => {
  const ann = await holdall.register('ann');
  const email = await verifyEmail(holdall, ann);
  for (const each of [email, 'nobody@example.org']) {
    for (let count = 0; count < 5; count += 1) assert.equal((await request(each)).status, 200);
    assert.equal((await request(each)).status, 429);
    assert.equal((await request(each.toUpperCase())).status, 429);
  }
  assert.equal((await lettersTo(holdall, email)).length, 6);
  clock.advance(HOUR);
  assert.equal((await request(email)).status, 200);
});

test('one client asks for 20 links an hour', async () => {
  const address = newAddress();
  for (let count = 0; count < 20; count += 1) {
    assert.equal((await request(`nobody-${count}@example.org`, address)).status, 200);
  }
  assert.equal((await request('nobody@example.com', address)).status, 429);
  assert.equal((await request('nobody@example.com')).status, 200);
});

test('wrong tokens count as guesses of their address', async () => {
  const headers = { 'x-forwarded-for': newAddress() };
  const confirms = [`${RESET}/confirm`, '/api/auth/email-verification/confirm'];
  const guess = (path: string) =>
    anonymous.call('POST', path, { body: { token: 'guess', newPassword: 'a long new password' }, headers });
  for (let count = 0; count < 30; count += 1) {
    assert.equal((await guess(confirms[count % 2] ?? '')).status, 400);
  }
  for (const path of confirms) assert.equal((await guess(path)).status, 429);
});

test('one account causes five verification mails an hour, and can still change its address', async () => {
  const ann = await holdall.register('ann');
  const emails = Array.from({ length: 6 }, (_, index) => `${index}-${emailOf(ann)}`);
  const answers: (boolean | undefined)[] = [];
  for (const email of emails) answers.push((await change(ann, { email })).verificationMailed);
  assert.deepEqual(answers, [true, true, true, true, true, false]);
  const counts = await Promise.all(emails.map(async (email) => (await lettersTo(holdall, email)).length));
  assert.deepEqual(counts, [1, 1, 1, 1, 1, 0]);
  assert.equal((await ann.call('POST', '/api/auth/email-verification')).status, 429);
  clock.advance(HOUR);
  await ann.ask('POST', '/api/auth/email-verification', { body: { password: PASSWORD } });
  assert.equal((await lettersTo(holdall, emails[5] ?? '')).length, 1);
});

test('changes that fail cause no verification mail, and do not count', async () => {
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  clock.advance(15 * MINUTE + 1);
  await ann.enter('/api/auth/refresh', { refreshToken: ann.login?.refreshToken });
  const email = `new-${emailOf(ann)}`;
  for (let count = 0; count < 3; count += 1) {
    await ann.refused(403, 1002, 'PUT', PROFILE, { body: { email } });
    await ann.refused(400, 1003, 'PUT', PROFILE, { body: { email, password: 'a wrong password' } });
    const taken = { email: emailOf(bob), password: PASSWORD };
    await ann.refused(409, 1003, 'PUT', PROFILE, { body: taken });
    await ann.refused(403, 1002, 'POST', '/api/auth/email-verification');
  }
  assert.equal((await change(ann, { email, password: PASSWORD })).verificationMailed, true);
  assert.equal((await lettersTo(holdall, email)).length, 1);
  const others: readonly ProfileBody[] = [{ email }, { email: null, bio: 'hello' }, { bio: 'again' }];
  for (const body of others) assert.equal((await change(ann, body)).verificationMailed, undefined);
});
