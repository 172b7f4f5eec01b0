import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median } from './median.ts';

test('the median is the value in the middle, in whatever order they came', () => {
  assert.equal(median([30, 1, 2]), 2);
  assert.equal(median([10, 1, 3, 2]), 2.5);
});

test('a median of nothing is an error', () => {
  assert.throws(() => median([]), /nothing was measured/);
});
