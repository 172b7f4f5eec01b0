// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { AttemptQueues } from './attempt-queues.ts';

const never = new AbortController().signal;

test('attempts are woken one by one, in the order of arrival', async () => {
  const queues = new AttemptQueues();
  const woken: number[] = [];
  const waiting = [1, 2, 3].map((attempt) => queues.wait('a', never, false).then(() => woken.push(attempt)));
  assert.equal(queues.hasWaiting('a'), true);
  for (const count of [1, 2, 3]) {
    queues.wakeNext('a');
    await waiting[count - 1];
    assert.equal(woken.length, count);
  }
  assert.deepEqual(woken, [1, 2, 3]);
  assert.equal(queues.hasWaiting('a'), false);
});

test('an attempt that retries comes before those that have not tried yet', async () => {
  const queues = new AttemptQueues();
  const woken: string[] = [];
  const first = queues.wait('a', never, false).then(() => woken.push('first try'));
  const retry = queues.wait('a', never, true).then(() => woken.push('retry'));
  queues.wakeNext('a');
  queues.wakeNext('a');
  await Promise.all([first, retry]);
  assert.deepEqual(woken, ['retry', 'first try']);
});

test('at most 50 attempts wait under one key, and more may wait under other keys', async () => {
  const queues = new AttemptQueues();
  const end = new AbortController();
  const waiting = Array.from({ length: 50 }, () => queues.wait('a', end.signal, false));
  assert.equal(await queues.wait('a', end.signal, false), false);
  const other = queues.wait('b', end.signal, false);
  queues.wakeNext('b');
  assert.equal(await other, true);
  end.abort();
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set([false]), 'all stop waiting at the deadline');
  assert.equal(queues.hasWaiting('a'), false);
});

test('a slot that another instance frees is found within a second', inFull, async () => {
  const queues = new AttemptQueues();
  assert.equal(await queues.wait('a', AbortSignal.timeout(1_000), false), true);
});
