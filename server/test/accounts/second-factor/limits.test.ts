// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD } from '../../support/app/person.ts';
import { beginLogin, finishLogin, setUpTotp, TOTP_PATH } from '../../support/app/second-factor.ts';
import { addPasskey, askForPasskey, sendPasskey } from '../../support/app/software-authenticator.ts';

const MINUTE = 60_000;

const holdall = await startHoldall({ env: { HOLDALL_TRUST_PROXY: '1' } });
const { clock } = holdall;

let lastAddress = 0;
/** Returns the headers of a client with an address that no other client has used. */
function newClient() {
  lastAddress += 1;
  return { 'x-forwarded-for': `198.51.${Math.floor(lastAddress / 250)}.${(lastAddress % 250) + 1}` };
}

describe('the limit of attempts', () => {
  test('counts wrong codes, and a correct password in between does not reset the count', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    const client = newClient();
    for (let count = 0; count < 10; count += 1) {
      const ticket = await beginLogin(ann, client);
      assert.equal((await finishLogin(ann, ticket, app.wrongCode(), client)).status, 401);
    }
    const body = { username: ann.username, password: PASSWORD };
    const blocked = await ann.with(undefined).call('POST', '/api/auth/login', { body, headers: client });
    assert.equal(blocked.status, 429);
    clock.advance(MINUTE);
    const ticket = await beginLogin(ann, client);
    assert.equal((await finishLogin(ann, ticket, app.nextCode(), client)).status, 200);
    // The successful login has reset the count.
    for (let count = 0; count < 5; count += 1) {
      assert.equal(
        (await finishLogin(ann, await beginLogin(ann, client), app.wrongCode(), client)).status,
        401,
      );
    }
  });

  test('ignores correct passwords: they are neither failures nor successes', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    const client = newClient();
    const wrong = { username: ann.username, password: 'wrong guess' };
    for (let count = 0; count < 9; count += 1) {
      await ann
        .with(undefined)
        .refused(401, 1001, 'POST', '/api/auth/login', { body: wrong, headers: client });
    }
    for (let count = 0; count < 15; count += 1) await beginLogin(ann, client);
    await ann.with(undefined).refused(401, 1001, 'POST', '/api/auth/login', { body: wrong, headers: client });
    const answer = await ann
      .with(undefined)
      .call('POST', '/api/auth/login', { body: wrong, headers: client });
    assert.equal(answer.status, 429, 'the nine failures before still count');
    clock.advance(MINUTE);
    const ticket = await beginLogin(ann, client);
    assert.equal((await finishLogin(ann, ticket, app.nextCode(), client)).status, 200);
  });

  test('wrong codes from many addresses delay the account for longer and longer', async () => {
    clock.stop();
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    let ticket = await beginLogin(ann, newClient());
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      statuses.push((await finishLogin(ann, ticket, app.wrongCode(), newClient())).status);
    }
    assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429]);
    const waits: number[] = [];
    while (waits.length < 12) {
      const refused = await finishLogin(ann, ticket, app.wrongCode(), newClient());
      assert.equal(refused.status, 429);
      waits.push(Number(refused.headers.get('retry-after')));
      clock.advance(Math.max(...waits) * 1_000);
      ticket = await beginLogin(ann, newClient());
      // After failures, every admitted attempt delays the next one by a second, even if it succeeds.
      clock.advance(1_000);
      assert.equal((await finishLogin(ann, ticket, app.wrongCode(), newClient())).status, 401);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  test('counts wrong passkeys by address', async () => {
    const client = newClient();
    const { authenticator } = await addPasskey(await holdall.register('ann'));
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) {
      const credential = authenticator.use(await askForPasskey(holdall.anonymous), { rpId: 'example.org' });
      statuses.push((await sendPasskey(holdall.anonymous, credential, client)).status);
    }
    assert.deepEqual(statuses, [...Array(30).fill(401), 429]);
  });

  test('counts wrong tickets by address', async () => {
    const client = newClient();
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) {
      statuses.push((await finishLogin(holdall.anonymous, 'no ticket', '123456', client)).status);
    }
    assert.deepEqual(statuses, [...Array(30).fill(401), 429]);
  });

  test('counts wrong codes when an app is set up together with wrong passwords when it is removed', async () => {
    const ann = await holdall.register('ann');
    await ann.ask('POST', TOTP_PATH);
    const headers = newClient();
    for (let count = 0; count < 10; count += 1) {
      await ann.refused(400, 1003, 'POST', `${TOTP_PATH}/confirm`, { body: { code: 'none' }, headers });
    }
    await ann.refused(429, 1429, 'POST', `${TOTP_PATH}/confirm`, { body: { code: 'none' }, headers });
    await ann.refused(429, 1429, 'DELETE', TOTP_PATH, { body: { password: PASSWORD }, headers });
  });
});
