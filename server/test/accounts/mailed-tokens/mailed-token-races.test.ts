// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD } from '../../support/app/person.ts';
import { countStatuses, race } from '../../support/checks/race.ts';
import {
  emailOf,
  MAIL_ENVIRONMENT,
  mailReset,
  tokenMailedTo,
  verifyEmail,
} from '../../support/mail/letters.ts';

const TIMES = 20;
const RESET = '/api/auth/password-reset';
const VERIFICATION = '/api/auth/email-verification';
const newPasswordOf = (index: number) => `new password number ${index}`;

const env = { ...MAIL_ENVIRONMENT, HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const beside = await startHoldall({ beside: holdall, env });
const { database } = holdall.app;
const { db } = database;
const strangers = [holdall.anonymous, beside.anonymous];

test('of 20 simultaneous uses of one link for a password, one succeeds, and its password counts', async () => {
  const ann = await holdall.register('ann');
  const token = await mailReset(holdall, await verifyEmail(holdall, ann));
  const answers = await race(strangers, TIMES, (person, index) =>
    person.call('POST', `${RESET}/confirm`, { body: { token, newPassword: newPasswordOf(index) } }),
  );
  assert.deepEqual(countStatuses(answers), { 200: 1, 400: TIMES - 1 });
  const winner = answers.findIndex(({ status }) => status === 200);
  await ann.logIn(newPasswordOf(winner));
});

test('of 20 simultaneous uses of one link for an address, one succeeds', async () => {
  const ann = await holdall.register('ann');
  const token = await tokenMailedTo(holdall, emailOf(ann), 'VERIFICATION');
  const answers = await race(strangers, TIMES, (person) =>
    person.call('POST', `${VERIFICATION}/confirm`, { body: { token } }),
  );
  assert.deepEqual(countStatuses(answers), { 200: 1, 400: TIMES - 1 });
});

test('of simultaneous resets and changes of the password, one succeeds', async () => {
  const ann = await holdall.register('ann');
  const email = await verifyEmail(holdall, ann);
  const tokens = [await mailReset(holdall, email), await mailReset(holdall, email)];
  const resets = tokens.map((token, index) =>
    strangers[index]?.call('POST', `${RESET}/confirm`, {
      body: { token, newPassword: newPasswordOf(index) },
    }),
  );
  const passwords = { currentPassword: PASSWORD, newPassword: newPasswordOf(9) };
  const answers = await Promise.all([...resets, ann.call('POST', '/api/user/password', { body: passwords })]);
  assert.equal(answers.filter((answer) => answer?.status === 200).length, 1);
});

test('after an address was changed while its link was used, the new address is not verified', async () => {
  for (let round = 0; round < 5; round += 1) {
    const ann = await holdall.register('ann');
    const token = await tokenMailedTo(holdall, emailOf(ann), 'VERIFICATION');
    const [changed] = await Promise.all([
      ann.call('PUT', '/api/user/profile', { body: { email: `new-${emailOf(ann)}` } }),
      beside.anonymous.call('POST', `${VERIFICATION}/confirm`, { body: { token } }),
    ]);
    assert.equal(changed.status, 200);
    const { emailVerified } = await ann.ask<{ emailVerified: boolean }>('GET', '/api/user/profile');
    assert.equal(emailVerified, false);
  }
});

test('a link is useless if the address was changed between the request and its token', async () => {
  const ann = await holdall.register('ann');
  const foldedEmail = await verifyEmail(holdall, ann);
  await ann.ask('PUT', '/api/user/profile', { body: { email: `new-${foldedEmail}` } });
  const token = await database.transact((tx) =>
    holdall.app.accounts.mailedTokens.create(tx, 'PASSWORD_RESET', { accountId: ann.id, foldedEmail }),
  );
  await holdall.anonymous.ask('POST', `${VERIFICATION}/confirm`, {
    body: { token: await tokenMailedTo(holdall, `new-${foldedEmail}`, 'VERIFICATION') },
  });
  const body = { token, newPassword: newPasswordOf(0) };
  await holdall.anonymous.refused(400, 1003, 'POST', `${RESET}/confirm`, { body });
});

test('simultaneous requests leave an account at most five links of a kind', async () => {
  const ann = await holdall.register('ann');
  const people = strangers.map((person) => person.with(ann.login));
  await race(people, TIMES, (person) => person.ask('POST', VERIFICATION));
  const email = await verifyEmail(holdall, ann);
  await race(strangers, TIMES, (person) => person.ask('POST', RESET, { body: { email } }));
  await race(people, TIMES, (person) => person.call('POST', VERIFICATION));
  const rows = await db
    .selectFrom('account_token')
    .select(['kind', (select) => select.fn.countAll<number>().as('count')])
    .where('account_id', '=', ann.id)
    .groupBy('kind')
    .execute();
  assert.deepEqual(
    rows.map(({ kind, count }) => [kind, Number(count)]),
    [['PASSWORD_RESET', 5]],
  );
});
