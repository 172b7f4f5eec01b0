// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeeperThan } from './depth.ts';

const nest = (levels: number, kind: 'list' | 'object'): unknown =>
  JSON.parse(
    kind === 'list'
      ? `${'['.repeat(levels)}${']'.repeat(levels)}`
      : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
  );

test('levels are counted through arrays and objects, wherever the deepest one is', () => {
  for (const flat of [null, 'text', 1, true]) assert.equal(isDeeperThan(flat, 0), false);
  for (const kind of ['list', 'object'] as const) {
    assert.equal(isDeeperThan(nest(3, kind), 3), false);
    assert.equal(isDeeperThan(nest(4, kind), 3), true);
  }
  assert.equal(isDeeperThan([1, null, { a: 'x', b: [[]] }], 4), false);
  assert.equal(isDeeperThan([1, null, { a: 'x', b: [[]] }], 3), true);
});

test('a value that is too deep for JSON.stringify can be checked', () => {
  const deep = nest(30_000, 'list');
  assert.throws(() => JSON.stringify(deep), RangeError);
  assert.equal(isDeeperThan(deep, 29_999), true);
  assert.equal(isDeeperThan(deep, 30_000), false);
});
