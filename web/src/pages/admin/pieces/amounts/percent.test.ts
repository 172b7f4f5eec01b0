// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percentOf } from './percent.ts';

test('a meter shows whole percentages, and at least 1 for any positive share', () => {
  assert.deepEqual(
    [
      percentOf(0, 10),
      percentOf(1, 1e12),
      percentOf(1, 3),
      percentOf(5, 4),
      percentOf(3, 0),
      percentOf(0, 0),
    ],
    [0, 1, 33, 100, 100, 0],
  );
});
