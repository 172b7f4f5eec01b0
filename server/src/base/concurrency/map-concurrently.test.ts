import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mapConcurrently } from './map-concurrently.ts';

test('results come in order, and no more run at once than may', async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrently([5, 1, 4, 2, 3], 2, async (number) => {
    most = Math.max(most, ++running);
    await sleep(number);
    running -= 1;
    return number * 10;
  });
  assert.deepEqual(results, [50, 10, 40, 20, 30]);
  assert.equal(most, 2);
  assert.deepEqual(await mapConcurrently([], 2, async () => 1), []);
});

test('an error ends it when what runs has ended, and nothing new begins', async () => {
  const begun: number[] = [];
  let running = 0;
  const failing = mapConcurrently([1, 2, 3, 4, 5], 2, async (number) => {
    begun.push(number);
    running += 1;
    await sleep(number * 3);
    running -= 1;
    if (number === 1) throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.equal(running, 0);
  assert.deepEqual(begun, [1, 2]);
});
