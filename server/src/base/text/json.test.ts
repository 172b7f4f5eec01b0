// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { hasMoreValues, isDeeperThan } from './json.ts';

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

const has = (text: string, maxValues: number) => hasMoreValues(Buffer.from(text), maxValues);

test('items, members and their names are counted, text is not', () => {
  assert.deepEqual([has('[1,2,3]', 4), has('[1,2,3]', 3)], [false, true]);
  assert.deepEqual([has('{"a":{"b":1}}', 5), has('{"a":{"b":1}}', 4)], [false, true]);
  assert.equal(has(`["${'[,:{'.repeat(1_000)}\\\\","\\"[[[["]`, 3), false);
});

test('text that does not end is handled', () => {
  assert.equal(has(`"${'\\"'.repeat(10_000)}`, 1), false);
  assert.equal(has('"', 1), false);
});

test('the count is never above the length of the JSON text, and never below the number of its values', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      assert.equal(has(json, json.length + 1), false);
      const count = countValues(JSON.parse(json));
      if (count > 1) assert.equal(has(json, count - 1), true, json);
    }),
  );
});

/** Counts all values, arrays and objects included. `hasMoreValues` counts the names of members too. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + countValues(member), 1);
}
