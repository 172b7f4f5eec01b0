// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { KeyedMutex } from './keyed-mutex.ts';

test('callers with the same key run one after another, in the order of their calls', async () => {
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

test('callers with different keys do not wait for each other', async () => {
  const mutex = new KeyedMutex<number>();
  await mutex.acquire(1);
  const release = await mutex.acquire(2);
  release();
});

test('releasing a key twice has no further effect', async () => {
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

test('a key that is neither locked nor waited for takes no memory', async () => {
  const mutex = new KeyedMutex<number>();
  const releases = await Promise.all([1, 2, 3].map((key) => mutex.acquire(key)));
  const waiting = mutex.acquire(1);
  assert.equal(mutex.size, 3);
  for (const release of releases) release();
  assert.equal(mutex.size, 1);
  (await waiting)();
  assert.equal(mutex.size, 0);
});
