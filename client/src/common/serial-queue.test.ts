// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SerialQueue } from './serial-queue.ts';

test('tasks run one after another, even after one fails', async () => {
  const queue = new SerialQueue();
  const steps: string[] = [];
  const slow = queue.run(async () => {
    steps.push('slow begins');
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    steps.push('slow ends');
  });
  const failing = queue.run(() => {
    steps.push('fails');
    throw new Error('no');
  });
  const last = queue.run(() => steps.push('last'));
  await assert.rejects(failing, /no/);
  await Promise.all([slow, last]);
  assert.deepEqual(steps, ['slow begins', 'slow ends', 'fails', 'last']);
});

test('settled waits for the tasks that were added before it', async () => {
  const queue = new SerialQueue();
  let isDone = false;
  void queue.run(async () => {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    isDone = true;
  });
  await queue.settled();
  assert.equal(isDone, true);
});
