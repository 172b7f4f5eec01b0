// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNewestFirst, sortByIds } from './newest-first.ts';

const existing = [1, 2, 5, 9, 10, 11, 12, 20, 21, 33];

async function find(page: number, size: number, sliceSize: number, highest = 33) {
  const seen: number[] = [];
  const found = await findNewestFirst(highest, sliceSize, { page, size }, async ({ above, upTo }) => {
    const ids = existing.filter((id) => above < id && id <= upTo).toSorted((a, b) => b - a);
    seen.push(...ids);
    return ids;
  });
  return { ...found, seen };
}

for (const sliceSize of [1, 2, 3, 10, 100]) {
  test(`pages read in slices of ${sliceSize} contain every id once, newest first`, async () => {
    for (const size of [1, 3, 4, 100]) {
      const collected: number[] = [];
      for (let page = 0; ; page += 1) {
        const { ids, total, seen } = await find(page, size, sliceSize);
        assert.equal(total, existing.length);
        assert.deepEqual(seen, existing.toReversed());
        if (ids.length === 0) break;
        collected.push(...ids);
      }
      assert.deepEqual(collected, existing.toReversed());
    }
  });
}

test('an empty table is not queried', async () => {
  assert.deepEqual(await find(0, 10, 10, 0), { ids: [], total: 0, seen: [] });
});

test('ids without a row are left out', () => {
  assert.deepEqual(sortByIds([3, 2, 1], [{ id: 1 }, { id: 3 }]), [{ id: 3 }, { id: 1 }]);
});
