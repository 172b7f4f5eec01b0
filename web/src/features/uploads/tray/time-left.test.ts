// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLeft } from './time-left.ts';

test('the remaining time is more precise the shorter it is', () => {
  assert.deepEqual(timeLeft(0, 10), { unit: 'seconds', count: 1 });
  assert.deepEqual(timeLeft(42, 10), { unit: 'seconds', count: 5 });
  assert.deepEqual(timeLeft(321, 10), { unit: 'seconds', count: 35 });
  assert.deepEqual(timeLeft(1_190, 10), { unit: 'minutes', count: 2 });
  assert.deepEqual(timeLeft(72_000, 10), { unit: 'hours', count: 2 });
});

test('an unknown remaining time is not shown', () => {
  assert.equal(timeLeft(10, undefined), undefined);
  assert.equal(timeLeft(10, 0), undefined);
  assert.equal(timeLeft(1e12, 10), undefined);
});
