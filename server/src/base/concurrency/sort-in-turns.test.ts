// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFull } from '../../../../tools/testing/tiers.ts';
import { sortInTurns } from './sort-in-turns.ts';

const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key;

for (const length of [0, 1, 2, 4_096, 4_097, 12_289]) {
  test(`${length} elements are sorted, and equal ones stay in their order`, async () => {
    const items = Array.from({ length }, (_, index) => ({ key: (index * 7_919) % 1_000, index }));
    const copy = [...items];
    assert.deepEqual(await sortInTurns(items, byKey), copy.sort(byKey));
  });
}

test('the event loop turns while many elements are sorted', async () => {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  const items = Array.from({ length: isFull ? 300_000 : 60_000 }, (_, index) => ({
    key: (index * 7_919) % 300_007,
  }));
  await sortInTurns(items, byKey);
  clearImmediate(timer);
  assert.ok(turns >= 2, `${turns} turns`);
});
