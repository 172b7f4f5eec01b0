// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterOf, pageOf, readAdminSearch } from './admin-search.ts';

test('invalid parameters in an address are ignored', () => {
  const search = readAdminSearch({
    page: 3,
    query: 'ann',
    targetId: 12,
    expired: true,
    odd: { a: 1 },
    no: null,
  });
  assert.deepEqual(search, { page: 3, query: 'ann', targetId: 12, expired: 'true' });
  assert.equal(filterOf(search, 'targetId'), '12');
  assert.equal(filterOf(search, 'ownerQuery'), '');
});

test('a page number is at least 1, whatever the address says', () => {
  assert.deepEqual(
    [2, '7', undefined, 0, -1, 1.5, 'x'].map((page) => pageOf({ page })),
    [2, 7, 1, 1, 1, 1, 1],
  );
});
