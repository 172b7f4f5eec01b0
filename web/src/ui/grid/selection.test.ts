// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  add,
  countSelected,
  isSelected,
  renew,
  selectAll,
  selectNothing,
  selectOnly,
  toggle,
} from './selection.ts';

interface Entry {
  readonly id: number;
}

// The array has exactly these three elements.
const [a, b, c] = [1, 2, 3].map((id) => ({ id })) as [Entry, Entry, Entry];

test('an entry can be added and removed', () => {
  const both = toggle(toggle(selectNothing(), a), b);
  assert.equal(countSelected(both, 3), 2);
  assert(isSelected(both, 1) && !isSelected(both, 3));
  assert(!isSelected(toggle(both, a), 1));
  assert.equal(countSelected(add(both, [b, c]), 3), 3);
});

test('"all" includes entries that were never loaded, except the removed ones', () => {
  const most = toggle(selectAll<{ id: number }>(), b);
  assert.equal(countSelected(most, 100_000), 99_999);
  assert(isSelected(most, 77_777) && !isSelected(most, 2));
  assert.equal(countSelected(toggle(most, b), 100_000), 100_000);
  assert.equal(countSelected(add(most, [b]), 100_000), 100_000);
});

test('deleted entries leave the selection, and an unchanged selection stays the same object', () => {
  const both = selectOnly([a, b]);
  assert.equal(renew(both, [a, b, c]), both);
  assert.deepEqual(renew(both, [b, c]), selectOnly([b]));
});
