import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { KeyedMutex } from './keyed-mutex.ts';

test('those who want the same thing have it one after the other, in the order in which they came', async () => {
  const mutex = new KeyedMutex<string>();
  const seen: string[] = [];
  const use = async (name: string) => {
    const release = await mutex.acquire('a');
    seen.push(`${name} begins`);
    await nextRound();
    seen.push(`${name} ends`);
    release();
  };
  await Promise.all(['1', '2', '3'].map(use));
  assert.deepEqual(seen, ['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);
});

test('who wants another thing does not wait', async () => {
  const mutex = new KeyedMutex<number>();
  await mutex.acquire(1);
  const release = await mutex.acquire(2);
  release();
});

test('a turn that is given on twice is given on once', async () => {
  const mutex = new KeyedMutex<string>();
  const first = await mutex.acquire('a');
  const second = mutex.acquire('a');
  let isThird = false;
  const third = mutex.acquire('a').then((release) => {
    isThird = true;
    release();
  });
  first();
  const release = await second;
  first();
  await nextRound();
  assert.equal(isThird, false);
  release();
  await third;
});

test('what nobody has or waits for is forgotten', async () => {
  const mutex = new KeyedMutex<number>();
  const given = await Promise.all([1, 2, 3].map((key) => mutex.acquire(key)));
  const waiting = mutex.acquire(1);
  assert.equal(mutex.size, 3);
  for (const release of given) release();
  assert.equal(mutex.size, 1);
  (await waiting)();
  assert.equal(mutex.size, 0);
});
