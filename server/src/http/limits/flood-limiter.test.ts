// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../base/failure.ts';
import { addressKeyOf } from '../../base/network/address-key.ts';
import { FloodLimiter } from './flood-limiter.ts';

function limiterAt(start: number, enabled = true) {
  const clock = { time: start, now: () => clock.time };
  return { clock, limiter: new FloodLimiter(clock, enabled) };
}

function callRepeatedly(limiter: FloodLimiter, address: string, times: number): void {
  for (let call = 0; call < times; call += 1) limiter.count(addressKeyOf(address));
}

test('an address may send 3,000 requests a minute, and has to wait for the next minute then', () => {
  const { clock, limiter } = limiterAt(1_000);
  callRepeatedly(limiter, '203.0.113.7', 3_000);
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
  callRepeatedly(limiter, '2001:db8::1', 1_500);
  callRepeatedly(limiter, '2001:db8::ffff', 1_500);
  assert.throws(() => limiter.count(addressKeyOf('2001:db8::2')), Failure);
  limiter.count(addressKeyOf('2001:db8:0:1::2'));
});

test('a disabled limiter rejects nothing', () => {
  const { limiter } = limiterAt(0, false);
  callRepeatedly(limiter, '203.0.113.7', 3_500);
});
