// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doublingDelayMs } from './backoff.ts';

test('a delay starts with its base, doubles with each step and stops at its maximum', () => {
  const delays = [0, 1, 2, 3, 4, 5].map((step) => doublingDelayMs(step, 1_000, 10_000));
  assert.deepEqual(delays, [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

test('a delay stays in range for any number of steps', () => {
  assert.equal(doublingDelayMs(-3, 1_000, 10_000), 1_000);
  assert.equal(doublingDelayMs(1_000_000, 1_000, 900_000), 900_000);
});
