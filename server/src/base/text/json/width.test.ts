// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { hasMoreValues } from './width.ts';

const has = (text: string, maxValues: number) => hasMoreValues(Buffer.from(text), maxValues);

test('items, members and their names are counted, text is not', () => {
  assert.deepEqual([has('[1,2,3]', 4), has('[1,2,3]', 3)], [false, true]);
  assert.deepEqual([has('{"a":{"b":1}}', 5), has('{"a":{"b":1}}', 4)], [false, true]);
  assert.equal(has(`["${'[,:{'.repeat(1_000)}\\\\","\\"[[[["]`, 3), false);
});

test('text that does not end is no trouble', () => {
  assert.equal(has(`"${'\\"'.repeat(10_000)}`, 1), false);
  assert.equal(has('"', 1), false);
});

test('every JSON value is within the number of its characters, and none is above a count of all of them', () => {
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
