// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticksUpTo } from './ticks.ts';

test('a scale has round numbers and covers the maximum', () => {
  assert.deepEqual(ticksUpTo(0), [0, 1]);
  assert.deepEqual(ticksUpTo(1), [0, 1]);
  assert.deepEqual(ticksUpTo(3), [0, 1, 2, 3]);
  assert.deepEqual(ticksUpTo(7), [0, 2, 4, 6, 8]);
  assert.deepEqual(ticksUpTo(100), [0, 50, 100]);
  assert.deepEqual(ticksUpTo(1_234), [0, 500, 1_000, 1_500]);
});

test('a scale has two to five lines', () => {
  for (let most = 0; most < 5_000; most += 7) {
    const ticks = ticksUpTo(most);
    assert.ok(ticks.length >= 2 && ticks.length <= 5, `${most}: ${ticks}`);
    assert.ok((ticks.at(-1) ?? 0) >= most);
  }
});
