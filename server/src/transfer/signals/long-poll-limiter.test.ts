// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LongPollLimiter } from './long-poll-limiter.ts';

const { signal: connected } = new AbortController();

test('when a side has no slot left, its oldest poll ends', () => {
  const polls = new LongPollLimiter(2, 100);
  const [first, second, third] = [1, 2, 3].map(() => polls.acquire('a', connected));
  const other = polls.acquire('b', connected);
  const isOver = [first, second, third, other].map((poll) => poll?.signal.aborted);
  assert.deepEqual(isOver, [true, false, false, false]);
});

test('a released slot can be used again, and may be released twice', () => {
  const polls = new LongPollLimiter(2, 100);
  const first = polls.acquire('a', connected);
  const second = polls.acquire('a', connected);
  first.release();
  first.release();
  const third = polls.acquire('a', connected);
  assert.deepEqual([second.signal.aborted, third.signal.aborted], [false, false]);
});

test('a poll ends when its client disconnects', () => {
  const disconnecting = new AbortController();
  const { signal } = new LongPollLimiter().acquire('a', disconnecting.signal);
  disconnecting.abort();
  assert.equal(signal.aborted, true);
});

test('the total is limited, and a side may still replace its own poll', () => {
  const polls = new LongPollLimiter(1, 2);
  const first = polls.acquire('a', connected);
  polls.acquire('b', connected);
  assert.throws(() => polls.acquire('c', connected), { kind: 'too-many' });
  polls.acquire('a', connected).release();
  assert.equal(first.signal.aborted, true);
  polls.acquire('c', connected);
});
