// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { atATime } from './at-a-time.ts';

test('every item is processed once, and never more than the limit concurrently', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await atATime(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn <= item % 3; turn += 1) await nextTurn();
    running -= 1;
    done.push(item);
  });
  assert.deepEqual(
    done.sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7],
  );
  assert.equal(most, 3);
});

test('items that are added by the work are processed too', async () => {
  const done: number[] = [];
  await atATime(2, [3], async (item, add) => {
    done.push(item);
    await nextTurn();
    if (item > 0) add(item - 1);
  });
  assert.deepEqual(done, [3, 2, 1, 0]);
});

test('a failure ends the processing, and nothing new is started', async () => {
  const begun: number[] = [];
  const work = atATime(1, [1, 2, 3], async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('two');
  });
  await assert.rejects(work, /two/);
  assert.deepEqual(begun, [1, 2]);
});
