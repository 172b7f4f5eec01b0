import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../base/failure.ts';
import { FloodLimiter } from './flood-limiter.ts';

function limiterAt(start: number, enabled = true) {
  const clock = { time: start, now: () => clock.time };
  return { clock, limiter: new FloodLimiter(clock, enabled) };
}

function callOften(limiter: FloodLimiter, address: string, times: number): void {
  for (let call = 0; call < times; call += 1) limiter.count(address);
}

test('an address may call 3,000 times a minute, and then has to wait for the next one', () => {
  const { clock, limiter } = limiterAt(1_000);
  callOften(limiter, '203.0.113.7', 3_000);
  clock.time += 20_000;
  assert.throws(
    () => limiter.count('203.0.113.7'),
    (error: unknown) =>
      error instanceof Failure && error.kind === 'too-many' && error.retryAfterSeconds === 40,
  );
  limiter.count('203.0.113.8');
  clock.time += 40_000;
  limiter.count('203.0.113.7');
});

test('a /64 counts as one address', () => {
  const { limiter } = limiterAt(0);
  callOften(limiter, '2001:db8::1', 1_500);
  callOften(limiter, '2001:db8::ffff', 1_500);
  assert.throws(() => limiter.count('2001:db8::2'), Failure);
  limiter.count('2001:db8:0:1::2');
});

test('switched off, it counts nothing', () => {
  const { limiter } = limiterAt(0, false);
  callOften(limiter, '203.0.113.7', 3_500);
});
