// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mapConcurrently } from './map-concurrently.ts';

test('no more than the limit run at a time, and the results are in order', async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrently([5, 1, 4, 2, 3], 2, async (each) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < each; turn += 1) await nextTurn();
    running -= 1;
    return each * 10;
  });
  assert.deepEqual(results, [50, 10, 40, 20, 30]);
  assert.equal(most, 2);
});

test('after the first error no new call starts, and running calls are awaited', async () => {
  const ended: number[] = [];
  const mapping = mapConcurrently([0, 1, 2, 3], 2, async (each) => {
    if (each === 0) throw new Error('first');
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    ended.push(each);
  });
  await assert.rejects(mapping, /first/);
  assert.deepEqual(ended, [1]);
});
