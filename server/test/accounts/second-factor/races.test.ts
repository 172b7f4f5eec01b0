// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RecoveryCodes, TotpEnrolment } from '../../../src/accounts/second-factor/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { type Answer, type LoginState, PASSWORD, type Person } from '../../support/app/person.ts';
import {
  beginLogin,
  codeAt,
  finishLogin,
  securityOf,
  setUpTotp,
  TOTP_PATH,
} from '../../support/app/second-factor.ts';

const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const beside = await startHoldall({ beside: holdall, env });
const { clock } = holdall;

/** Returns `count` clients of the person, alternately at the two instances. */
function atBoth(person: Person, count: number): readonly Person[] {
  const there = Object.assign(beside.anonymous.with(person.login), { username: person.username });
  return Array.from({ length: count }, (_, index) => (index % 2 === 0 ? person : there));
}

const countOf = (answers: readonly Answer<unknown>[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('races of second factors', () => {
  test('of 20 logins with one code, one succeeds', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    const code = app.nextCode();
    const people = atBoth(ann, 20);
    const tickets = await Promise.all(people.map((person) => beginLogin(person)));
    const answers = await Promise.all(
      people.map((person, index) => finishLogin(person, tickets[index] ?? '', code)),
    );
    assert.deepEqual([countOf(answers, 200), countOf(answers, 401)], [1, 19]);
  });

  test('of 20 logins with one ticket and several valid codes, one succeeds and uses one code', async () => {
    const ann = await holdall.register('ann');
    const { recoveryCodes } = await setUpTotp(ann, clock);
    const ticket = await beginLogin(ann);
    const answers = await Promise.all(
      atBoth(ann, 20).map((person, index) => finishLogin(person, ticket, recoveryCodes[index % 10] ?? '')),
    );
    assert.deepEqual([countOf(answers, 200), countOf(answers, 401)], [1, 19]);
    const winner = answers.find(({ code }) => code === 0) as Answer<LoginState>;
    assert.equal((await securityOf(ann.with(winner.data))).recoveryCodesLeft, 9);
  });

  test('of 10 logins with one recovery code, one succeeds', async () => {
    const ann = await holdall.register('ann');
    const { recoveryCodes } = await setUpTotp(ann, clock);
    const people = atBoth(ann, 10);
    const tickets = await Promise.all(people.map((person) => beginLogin(person)));
    const answers = await Promise.all(
      people.map((person, index) => finishLogin(person, tickets[index] ?? '', recoveryCodes[3] ?? '')),
    );
    assert.deepEqual([countOf(answers, 200), countOf(answers, 401)], [1, 9]);
  });

  test('of 10 confirmations of one secret, one succeeds, and only its recovery codes are valid', async () => {
    const ann = await holdall.register('ann');
    const { secret } = await ann.ask<TotpEnrolment>('POST', TOTP_PATH);
    const body = { code: codeAt(secret, clock.now()) };
    const answers = await Promise.all(
      atBoth(ann, 10).map((person) => person.call<RecoveryCodes>('POST', `${TOTP_PATH}/confirm`, { body })),
    );
    assert.deepEqual([countOf(answers, 200), countOf(answers, 409)], [1, 9]);
    const code = answers.find((answer) => answer.code === 0)?.data.recoveryCodes[0] ?? '';
    assert.equal((await finishLogin(ann, await beginLogin(ann), code)).code, 0);
  });

  test('a code that confirms the app cannot be used in a simultaneous login', async () => {
    // A login of the same client type would end the session that confirms.
    const mobile = { 'x-service-client': 'mobile' };
    for (let round = 0; round < 3; round += 1) {
      const ann = await holdall.register('ann');
      const app = await setUpTotp(ann, clock);
      await ann.ask('DELETE', TOTP_PATH, { body: { password: PASSWORD } });
      const { secret } = await ann.ask<TotpEnrolment>('POST', TOTP_PATH);
      const code = codeAt(secret, clock.now());
      const [confirmed, login] = await Promise.all([
        ann.call('POST', `${TOTP_PATH}/confirm`, { body: { code } }),
        ann.with(undefined).call<{ ticket: string }>('POST', '/api/auth/login', {
          body: { username: ann.username, password: PASSWORD },
          headers: mobile,
        }),
      ]);
      assert.equal(confirmed.status, 200);
      if (login.status === 200) continue;
      assert.equal((await finishLogin(ann, login.data.ticket, code, mobile)).status, 401);
      assert.equal((await finishLogin(ann, login.data.ticket, app.code(), mobile)).status, 401);
    }
  });

  test('of 10 simultaneous renewals, only one has valid recovery codes', async () => {
    const ann = await holdall.register('ann');
    await setUpTotp(ann, clock);
    const answers = await Promise.all(
      atBoth(ann, 10).map((person) =>
        person.call<RecoveryCodes>('POST', `${TOTP_PATH}/recovery-codes`, { body: { password: PASSWORD } }),
      ),
    );
    assert.equal(countOf(answers, 200), 10);
    assert.equal((await securityOf(ann)).recoveryCodesLeft, 10);
    let good = 0;
    for (const { data } of answers) {
      const answer = await finishLogin(ann, await beginLogin(ann), data.recoveryCodes[0] ?? '');
      if (answer.code === 0) good += 1;
    }
    assert.equal(good, 1);
  });
});
