// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_RUNNING_TASKS, runQueue } from './queue.ts';

const NOW = Promise.resolve();

test('the longest task starts first, and the number of running tasks is limited', async () => {
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const tasks = [1, 3, 2, 5, 4].map((expectedSeconds) => ({
    expectedSeconds,
    ready: NOW,
    run: async () => {
      order.push(expectedSeconds);
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    },
  }));
  await runQueue(tasks);
  assert.deepEqual(order, [5, 4, 3, 2, 1]);
  assert.equal(most, Math.min(MAX_RUNNING_TASKS, tasks.length));
});

test('a task that is not ready lets shorter ones go first', async () => {
  const order: string[] = [];
  const resource = Promise.withResolvers<void>();
  const task = (name: string, expectedSeconds: number, ready: Promise<void>) => ({
    expectedSeconds,
    ready,
    run: async () => {
      order.push(name);
      if (order.length === 2) resource.resolve();
    },
  });
  await runQueue([task('long', 9, resource.promise), task('one', 2, NOW), task('two', 1, NOW)]);
  assert.deepEqual(order, ['one', 'two', 'long']);
});

test('a task whose resource failed still runs, to report the failure', async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  await runQueue([{ expectedSeconds: 1, ready: Promise.reject(new Error('missing')), run }]);
  assert.equal(runs, 1);
});

test('no further task starts after the signal', async () => {
  const end = new AbortController();
  let runs = 0;
  const run = async () => {
    runs += 1;
    end.abort();
  };
  const task = { expectedSeconds: 1, ready: NOW, run };
  await runQueue(Array(100).fill(task), end.signal);
  assert.ok(runs <= MAX_RUNNING_TASKS, `${runs}`);
});
