import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LongPollLimiter } from './long-poll-limiter.ts';

const { signal: staying } = new AbortController();

test('the newest of a side wait, and the oldest give way', () => {
  const polls = new LongPollLimiter(2, 100);
  const [first, second, third] = [1, 2, 3].map(() => polls.acquire('a', staying));
  const other = polls.acquire('b', staying);
  const isOver = [first, second, third, other].map((poll) => poll?.signal.aborted);
  assert.deepEqual(isOver, [true, false, false, false]);
});

test('a place that is given up is free, once', () => {
  const polls = new LongPollLimiter(2, 100);
  const first = polls.acquire('a', staying);
  const second = polls.acquire('a', staying);
  first.release();
  first.release();
  const third = polls.acquire('a', staying);
  assert.deepEqual([second.signal.aborted, third.signal.aborted], [false, false]);
});

test('whoever leaves waits no longer', () => {
  const leaving = new AbortController();
  const { signal } = new LongPollLimiter().acquire('a', leaving.signal);
  leaving.abort();
  assert.equal(signal.aborted, true);
});

test('so many wait in all, whatever they wait for, and a side may still renew its own', () => {
  const polls = new LongPollLimiter(1, 2);
  const first = polls.acquire('a', staying);
  polls.acquire('b', staying);
  assert.throws(() => polls.acquire('c', staying), { kind: 'too-many' });
  polls.acquire('a', staying).release();
  assert.equal(first.signal.aborted, true);
  polls.acquire('c', staying);
});
