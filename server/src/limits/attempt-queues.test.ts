import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttemptQueues } from './attempt-queues.ts';

const never = new AbortController().signal;

test('they are let in one by one, in the order of coming', async () => {
  const lines = new AttemptQueues();
  const called: number[] = [];
  const waiting = [1, 2, 3].map((who) => lines.wait('a', never, false).then(() => called.push(who)));
  assert.equal(lines.hasWaiting('a'), true);
  for (const count of [1, 2, 3]) {
    lines.wakeNext('a');
    await waiting[count - 1];
    assert.equal(called.length, count);
  }
  assert.deepEqual(called, [1, 2, 3]);
  assert.equal(lines.hasWaiting('a'), false);
});

test('whoever tried in vain goes before those who have not tried', async () => {
  const lines = new AttemptQueues();
  const called: string[] = [];
  const newcomer = lines.wait('a', never, false).then(() => called.push('newcomer'));
  const again = lines.wait('a', never, true).then(() => called.push('again'));
  lines.wakeNext('a');
  lines.wakeNext('a');
  await Promise.all([newcomer, again]);
  assert.deepEqual(called, ['again', 'newcomer']);
});

test('of many who come at once 50 may wait under one key, and others under another', async () => {
  const lines = new AttemptQueues();
  const end = new AbortController();
  const waiting = Array.from({ length: 50 }, () => lines.wait('a', end.signal, false));
  assert.equal(await lines.wait('a', end.signal, false), false);
  const other = lines.wait('b', end.signal, false);
  lines.wakeNext('b');
  assert.equal(await other, true);
  end.abort();
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set([false]), 'the end of waiting reaches all');
  assert.equal(lines.hasWaiting('a'), false);
});

test('a place that another instance frees is found within a second', async () => {
  const lines = new AttemptQueues();
  assert.equal(await lines.wait('a', AbortSignal.timeout(1_000), false), true);
});
