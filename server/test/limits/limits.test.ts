// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { Failure } from '../../src/base/failure.ts';
import {
  CREDENTIALS_BY_ACCOUNT,
  CREDENTIALS_BY_ADDRESS,
  CredentialLimiter,
} from '../../src/limits/limits.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import { type Answer, applicationOf, PASSWORD, Person } from '../support/app/person.ts';
import { isPostgres } from '../support/database/test-database.ts';

/** For tests without races: the default tier runs them on SQLite only. */
const onSqlite = isPostgres ? inFull : {};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Trusts the header of a reverse proxy, so that a test can choose the client address of a call. */
const env = { HOLDALL_TRUST_PROXY: 'on' };

let lastAddress = 0;
function newAddress(): string {
  lastAddress += 1;
  return `198.51.100.${lastAddress}`;
}

function logIn(
  holdall: Holdall,
  address: string,
  username: string,
  password: string,
): Promise<Answer<unknown>> {
  return holdall.anonymous.call('POST', '/api/auth/login', {
    body: { username, password },
    headers: { 'x-forwarded-for': address },
  });
}

function newName(): string {
  return `nobody-${randomBytes(6).toString('hex')}`;
}

function assertLimited(answer: Answer<unknown>, atMostSeconds: number): void {
  assert.deepEqual([answer.status, answer.code, answer.data], [429, 1429, null], answer.msg);
  const seconds = Number(answer.headers.get('retry-after'));
  assert(Number.isInteger(seconds) && seconds >= 1 && seconds <= atMostSeconds, `Retry-After: ${seconds}`);
}

/** Lets attempts wait longer: the usual five seconds are too short on a machine busy with other tests. */
function allowLongWaits({ mock }: TestContext): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  mock.method(AbortSignal, 'timeout', (ms: number) =>
    ms === 5 * SECOND ? new AbortController().signal : timeout(ms),
  );
}

function countStatuses(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('the limit of credentials by address', async () => {
  const holdall = await startHoldall({ env });
  const beside = await startHoldall({ beside: holdall, env });

  test(
    'after 30 failures in a minute every attempt is 429, even with the right password',
    onSqlite,
    async () => {
      const ann = await holdall.register('ann');
      const address = newAddress();
      for (let call = 0; call < 30; call += 1) {
        assert.equal((await logIn(holdall, address, newName(), 'wrong')).status, 401);
      }
      assertLimited(await logIn(holdall, address, newName(), 'wrong'), 60);
      assertLimited(await logIn(holdall, address, ann.username, PASSWORD), 60);
      assertLimited(await logIn(beside, address, ann.username, PASSWORD), 60);
      const headers = { 'x-forwarded-for': address };
      const body = { refreshToken: ann.login?.refreshToken };
      assertLimited(await holdall.anonymous.call('POST', '/api/auth/refresh', { body, headers }), 60);
      const passwords = { currentPassword: PASSWORD, newPassword: 'a long new password' };
      assertLimited(await ann.call('POST', '/api/user/password', { body: passwords, headers }), 60);

      assert.equal(
        (await logIn(holdall, newAddress(), ann.username, PASSWORD)).status,
        200,
        'another address is not limited',
      );
      holdall.clock.advance(MINUTE);
      assert.equal((await logIn(holdall, address, ann.username, PASSWORD)).status, 200);
    },
  );

  test('two instances share the counts', async () => {
    const address = newAddress();
    for (let call = 0; call < 15; call += 1) {
      assert.equal((await logIn(holdall, address, newName(), 'wrong')).status, 401);
      assert.equal((await logIn(beside, address, newName(), 'wrong')).status, 401);
    }
    assertLimited(await logIn(holdall, address, newName(), 'wrong'), 60);
    assertLimited(await logIn(beside, address, newName(), 'wrong'), 60);
  });

  test('invalid refresh tokens and wrong current passwords count like failed logins', onSqlite, async () => {
    const ann = await holdall.register('ann');
    const headers = { 'x-forwarded-for': newAddress() };
    for (let call = 0; call < 25; call += 1) {
      await ann.refused(401, 1001, 'POST', '/api/auth/refresh', { body: { refreshToken: 'no' }, headers });
    }
    const body = { currentPassword: 'wrong', newPassword: 'a long new password' };
    for (let call = 0; call < 5; call += 1) {
      await ann.refused(400, 1003, 'POST', '/api/user/password', { body, headers });
    }
    assertLimited(await ann.call('POST', '/api/user/password', { body, headers }), 60);
    await ann.ask('GET', '/api/user/profile', { headers });
  });

  test('only failures count', onSqlite, async () => {
    const ann = await holdall.register('ann');
    const address = newAddress();
    for (let call = 0; call < 40; call += 1) {
      assert.equal((await logIn(holdall, address, ann.username, PASSWORD)).status, 200);
    }
  });

  test('IPv6 addresses of one /64 count together', onSqlite, async () => {
    const network = `2001:db8:0:${randomBytes(2).toString('hex')}`;
    for (let host = 1; host <= 30; host += 1) {
      const answer = await logIn(holdall, `${network}:${host}:${host}::${host}`, newName(), 'wrong');
      assert.equal(answer.status, 401);
    }
    assertLimited(await logIn(holdall, `${network}::ffff`, newName(), 'wrong'), 60);
    assert.equal((await logIn(holdall, '2001:db8:1::1', newName(), 'wrong')).status, 401);
  });
});

describe('guessing in parallel', async () => {
  const holdall = await startHoldall({ env });
  const beside = await startHoldall({ beside: holdall, env });

  test('of 100 concurrent wrong logins 30 are checked, and the others are 429', async () => {
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        logIn(index % 2 === 0 ? holdall : beside, address, newName(), 'wrong'),
      ),
    );
    const counts = countStatuses(answers);
    assert.deepEqual(counts, { 401: 30, 429: 70 });
  });

  test('of 40 concurrent wrong logins on one account at most 10 are checked', inFull, async () => {
    const ann = await holdall.register('ann');
    const start = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => logIn(holdall, newAddress(), ann.username, 'wrong')),
    );
    // On a slow machine the attempts outlast the first delays of one, two and four seconds.
    const doublings = Math.ceil(Math.log2((performance.now() - start) / 1_000 + 1));
    const counts = countStatuses(answers);
    assert.equal((counts[401] ?? 0) + (counts[429] ?? 0), 40);
    assert((counts[401] ?? 0) <= 11 + doublings, JSON.stringify(counts));
  });

  test('50 concurrent right logins all succeed', onSqlite, async (context) => {
    allowLongWaits(context);
    const ann = await holdall.register('ann');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => logIn(holdall, '203.0.113.9', ann.username, PASSWORD)),
    );
    assert.deepEqual(countStatuses(answers), { 200: 50 });
  });
});

test('of 150 concurrent logins on one account, those that wait run no queries', inFull, async (context) => {
  allowLongWaits(context);
  let statements = 0;
  const onQuery = ({ sql }: { sql: string }) => {
    if (sql.includes('credential_attempt')) statements += 1;
  };
  const holdall = await startHoldall({ env, onQuery });
  const ann = await holdall.register('ann');
  const begun = statements;
  const answers = await Promise.all(
    Array.from({ length: 150 }, () => logIn(holdall, '203.0.113.9', ann.username, PASSWORD)),
  );
  const counts = countStatuses(answers);
  // How many arrive while the queue is full depends on the machine; `attempt-queues.test.ts` tests the
  // queue's length.
  assert((counts[200] ?? 0) >= 50 && (counts[200] ?? 0) + (counts[429] ?? 0) === 150, JSON.stringify(counts));
  assert((statements - begun) / answers.length < 15, `${statements - begun} statements`);
});

describe('the delay of credentials by account', onSqlite, async () => {
  const holdall = await startHoldall({ env });
  const tryWrong = (username: string) => logIn(holdall, newAddress(), username, 'wrong');

  /** Fails until there is a delay, then checks how it doubles up to its maximum. */
  async function assertGrowingDelay(username: string, newGuess: () => string, maxDelay: number) {
    holdall.clock.stop();
    for (let call = 0; call < 10; call += 1) {
      assert.equal((await logIn(holdall, newGuess(), username, 'wrong')).status, 401);
    }
    for (let delay = SECOND; delay < 4 * maxDelay; delay *= 2) {
      const expected = Math.min(delay, maxDelay);
      const answer = await logIn(holdall, newGuess(), username.toUpperCase(), PASSWORD);
      assertLimited(answer, expected / SECOND);
      assert(Number(answer.headers.get('retry-after')) > expected / SECOND / 2 - 1);
      holdall.clock.advance(expected);
      const next = await logIn(holdall, newGuess(), username, 'wrong');
      assert.equal(next.status, 401, `after ${expected} ms`);
    }
  }

  test('after 10 failures from one address it grows from 1 s to 15 min, even for right passwords', async () => {
    const ann = await holdall.register('ann');
    const address = newAddress();
    await assertGrowingDelay(ann.username, () => address, 15 * MINUTE);
    holdall.clock.advance(30 * SECOND);
    assert.equal((await logIn(holdall, newAddress(), ann.username, PASSWORD)).status, 200, 'another address');
    assertLimited(await logIn(holdall, address, ann.username, PASSWORD), 15 * 60);
    holdall.clock.advance(15 * MINUTE);
    assert.equal((await logIn(holdall, address, ann.username, PASSWORD)).status, 200);
  });

  test('after 10 failures from any addresses it grows to 30 s only, so that nobody is locked out', async () => {
    const ann = await holdall.register('ann');
    await assertGrowingDelay(ann.username, newAddress, 30 * SECOND);
    holdall.clock.advance(30 * SECOND);
    assert.equal((await logIn(holdall, newAddress(), ann.username, PASSWORD)).status, 200);
  });

  test('a success resets the count of failures', async () => {
    const ann = await holdall.register('ann');
    for (let round = 0; round < 3; round += 1) {
      for (let call = 0; call < 9; call += 1) assert.equal((await tryWrong(ann.username)).status, 401);
      assert.equal((await logIn(holdall, newAddress(), ann.username, PASSWORD)).status, 200);
    }
  });

  test('guessing at one account does not delay another', async () => {
    holdall.clock.stop();
    const ann = await holdall.register('ann');
    const bob = await holdall.register('bob');
    for (let call = 0; call < 10; call += 1) await tryWrong(ann.username);
    assertLimited(await tryWrong(ann.username), 1);
    assert.equal((await logIn(holdall, newAddress(), bob.username, PASSWORD)).status, 200);
  });

  test('attempts that it rejects do not count for their address', async () => {
    const limiter = new CredentialLimiter({
      database: holdall.app.database,
      clock: holdall.clock,
      enabled: true,
    });
    const slow = {
      ...CREDENTIALS_BY_ACCOUNT,
      freeFailures: 1,
      baseDelayMs: 10 * MINUTE,
      maxDelayMs: 10 * MINUTE,
    };
    const few = { ...CREDENTIALS_BY_ADDRESS, maxAttempts: 3, windowMs: 10 * MINUTE };
    const address = { rule: few, key: newAddress() };
    const limits = [address, { rule: slow, key: newName() }];
    const wrong = new Failure('unauthenticated', 'wrong');
    await assert.rejects(
      limiter.attempt(limits, () => Promise.reject(wrong)),
      wrong,
    );
    for (let call = 0; call < 5; call += 1) {
      await assert.rejects(
        limiter.attempt(limits, () => assert.fail('checked')),
        { kind: 'too-many' },
      );
    }
    await limiter.attempt([address], async () => {});
  });

  test('an attempt that fails for another reason counts neither as a failure nor as a success', async () => {
    holdall.clock.stop();
    const limiter = new CredentialLimiter({
      database: holdall.app.database,
      clock: holdall.clock,
      enabled: true,
    });
    const limits = [{ rule: CREDENTIALS_BY_ACCOUNT, key: newName() }];
    const fail = (error: Error) => limiter.attempt(limits, () => Promise.reject(error));
    const wrong = new Failure('unauthenticated', 'wrong');
    const broken = new Error('the database is away');
    for (let call = 0; call < 9; call += 1) await assert.rejects(fail(wrong), wrong);
    for (let call = 0; call < 3; call += 1) await assert.rejects(fail(broken), broken);
    await assert.rejects(fail(wrong), wrong);
    await assert.rejects(fail(wrong), { kind: 'too-many' });
  });

  test('an account that does not exist is delayed like an existing one', async () => {
    holdall.clock.stop();
    const name = newName();
    for (let call = 0; call < 10; call += 1) assert.equal((await tryWrong(name)).status, 401);
    assertLimited(await tryWrong(name), 1);
  });
});

describe('registrations', onSqlite, async () => {
  const holdall = await startHoldall({ env });

  test('are limited to 120 a minute from one address, successful or not; malformed ones do not count', async () => {
    const register = (body: unknown, address: string) =>
      holdall.anonymous.call('POST', '/api/auth/register', { body, headers: { 'x-forwarded-for': address } });
    const address = newAddress();
    assert.equal((await register({}, address)).status, 400);
    assert.equal((await register(applicationOf('ab', 'wrong'), address)).code, 1000);
    for (let call = 0; call < 119; call += 1) {
      assert.equal((await register(applicationOf(newName(), 'wrong'), address)).code, 1003);
    }
    const person = applicationOf(newName(), await holdall.inviteCode());
    assert.equal((await register(person, address)).status, 200);
    const next = applicationOf(newName(), await holdall.inviteCode());
    assertLimited(await register(next, address), 60);
    assert.equal((await register(next, newAddress())).status, 200);
    holdall.clock.advance(MINUTE);
    assert.equal((await register(applicationOf(newName(), 'wrong'), address)).code, 1003);
  });
});

test('logins are not limited while rate limits are off', onSqlite, async () => {
  const holdall = await startHoldall({ env: { ...env, HOLDALL_RATE_LIMITS: 'off' } });
  const ann = await holdall.register('ann');
  const answers = await Promise.all(
    Array.from({ length: 45 }, () => logIn(holdall, '203.0.113.1', ann.username, 'wrong')),
  );
  assert.deepEqual(countStatuses(answers), { 401: 45 });
  assert.equal((await logIn(holdall, '203.0.113.1', ann.username, PASSWORD)).status, 200);
});

test('a call with a valid token is never limited', onSqlite, async () => {
  const holdall = await startHoldall();
  const ann = await holdall.register('ann');
  const stranger = new Person('stranger', holdall.url);
  for (let batch = 0; batch < 31; batch += 1) {
    await Promise.all(
      Array.from({ length: 100 }, () => stranger.fetch('GET', '/health/live').then((r) => r.text())),
    );
  }
  assertLimited(await stranger.call('GET', '/api/v2/site/ping').then(toLegacyCode), 60);
  await ann.ask('GET', '/api/user/profile');
});

/** Returns the answer with the code of the legacy API, which differs from that of v2. */
function toLegacyCode(answer: Answer<unknown>): Answer<unknown> {
  assert.equal(answer.code, 2429);
  return { ...answer, code: 1429 };
}
