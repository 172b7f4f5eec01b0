// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from './random.ts';

const draw = (seed: number) => {
  const random = new Random(seed);
  return Array.from({ length: 1_000 }, () => random.below(10));
};

test('the same seed repeats the decisions, and another seed changes them', () => {
  assert.deepEqual(draw(7), draw(7));
  assert.notDeepEqual(draw(7), draw(8));
});

test('every number is drawn about equally often', () => {
  const counts = new Map<number, number>();
  for (const number of draw(1)) counts.set(number, (counts.get(number) ?? 0) + 1);
  assert.equal(counts.size, 10);
  assert.ok([...counts.values()].every((count) => count > 60 && count < 140));
});

test('numbers between two bounds include both bounds', () => {
  const random = new Random(3);
  const drawn = new Set(Array.from({ length: 200 }, () => random.between(-1, 1)));
  assert.deepEqual(
    [...drawn].sort((a, b) => a - b),
    [-1, 0, 1],
  );
});
