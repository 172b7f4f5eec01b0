// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mapConcurrently } from './map-concurrently.ts';

test('the results are in order, and no more calls run at the same time than allowed', async () => {
  let running = 0;
  let maxRunning = 0;
  const results = await mapConcurrently([5, 1, 4, 2, 3], 2, async (number) => {
    maxRunning = Math.max(maxRunning, ++running);
    for (let turn = 0; turn < number; turn += 1) await nextTurn();
    running -= 1;
    return number * 10;
  });
  assert.deepEqual(results, [50, 10, 40, 20, 30]);
  assert.equal(maxRunning, 2);
  assert.deepEqual(await mapConcurrently([], 2, async () => 1), []);
});

test('after an error no call is started, and the promise rejects when the running calls have ended', async () => {
  const started: number[] = [];
  let running = 0;
  const failing = mapConcurrently([1, 2, 3, 4, 5], 2, async (number) => {
    started.push(number);
    running += 1;
    for (let turn = 0; turn < number * 3; turn += 1) await nextTurn();
    running -= 1;
    if (number === 1) throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.equal(running, 0);
  assert.deepEqual(started, [1, 2]);
});
