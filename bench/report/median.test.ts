// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median } from './median.ts';

test('the median is the middle value, whatever the order of the values', () => {
  assert.equal(median([30, 1, 2]), 2);
  assert.equal(median([10, 1, 3, 2]), 2.5);
});

test('the median of no values is an error', () => {
  assert.throws(() => median([]), /nothing was measured/);
});
