// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inFull, isFull } from '../../../../tools/testing/tiers.ts';
import { hashPassword, passwordQueue, type Requester, verifyPassword } from './passwords.ts';

test('a password is hashed with argon2id, 19 MiB, 2 passes and a new salt', async () => {
  const [one, two] = await Promise.all([hashPassword('the same', {}), hashPassword('the same', {})]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(one, two);
  assert.equal(await verifyPassword(one, 'the same', {}), true);
  assert.equal(await verifyPassword(one, 'the Same', {}), false);
});

test('a password is the same on every keyboard', async () => {
  const hash = await hashPassword('Bär und Bücher'.normalize('NFC'), {});
  assert.equal(await verifyPassword(hash, 'Bär und Bücher'.normalize('NFD'), {}), true);
});

test('without a hash every password is wrong, and the check takes as long', inFull, async () => {
  const hash = await hashPassword('a password', {});
  const known = await leastCpuMs(() => verifyPassword(hash, 'wrong', {}));
  const unknown = await leastCpuMs(() => verifyPassword(null, 'wrong', {}));
  assert.equal(await verifyPassword(null, '', {}), false);
  assert(unknown > known / 3 && unknown < known * 3, `${known} ms known, ${unknown} ms unknown`);
});

test('many simultaneous calls all finish', async () => {
  const hash = await hashPassword('a password', {});
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      verifyPassword(hash, index % 2 === 0 ? 'a password' : 'wrong', {}),
    ),
  );
  assert.deepEqual(
    answers,
    Array.from({ length: 20 }, (_, index) => index % 2 === 0),
  );
});

test('an unreadable hash fails and does not block later calls', async () => {
  await Promise.all(
    Array.from({ length: 6 }, () => assert.rejects(verifyPassword('not a hash', 'a password', {}))),
  );
  assert.equal(await verifyPassword(await hashPassword('a password', {}), 'a password', {}), true);
});

test('a member is one requester at any address, and does not hold up others at that address', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const started: string[] = [];
  const start = (name: string, requester: Requester) =>
    passwordQueue.run(requester, () => {
      started.push(name);
      return ended;
    });
  const works = [
    start('ann', { accountId: 1, address: '198.51.100.1' }),
    start('ann elsewhere', { accountId: 1, address: '198.51.100.2' }),
    start('bob beside ann', { accountId: 2, address: '198.51.100.1' }),
  ];
  await setImmediate();
  assert.deepEqual(started, ['ann', 'bob beside ann']);
  end();
  await Promise.all(works);
  assert.deepEqual(started, ['ann', 'bob beside ann', 'ann elsewhere']);
});

test('a password of more than 1,024 code units is neither hashed nor verified', async () => {
  const longest = 'x'.repeat(1_024);
  assert.equal(await verifyPassword(await hashPassword(longest, {}), longest, {}), true);
  for (const password of [`${longest}x`, `a${'\u0315\u0300'.repeat(500_000)}`]) {
    // CPU time, because other processes may use the cores. Normalising the second password takes minutes.
    const before = process.cpuUsage();
    await assert.rejects(hashPassword(password, {}), { kind: 'invalid' });
    assert.equal(await verifyPassword(null, password, {}), false);
    if (isFull) assert.ok(process.cpuUsage(before).user < 500_000);
  }
});

/**
 * The CPU time of all threads, the least of a few runs. On a busy machine work lasts longer, but takes no
 * more CPU time.
 */
async function leastCpuMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
