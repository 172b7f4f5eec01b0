// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageList } from './page-list.ts';

/** A list of numbers, and the pages that were requested from it. */
function numbers(total: number, pageSize: number) {
  const requested: number[] = [];
  const list = new PageList<number>(
    async ({ page, size }) => {
      requested.push(page);
      const items = Array.from(
        { length: Math.max(0, Math.min(size, total - page * size)) },
        (_, i) => page * size + i,
      );
      return { items, total, page, size };
    },
    { pageSize },
  );
  return { list, requested };
}

test('all items are listed in order, one page at a time', async () => {
  const { list, requested } = numbers(7, 3);
  assert.deepEqual(await list.toArray(), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(requested, [0, 1, 2]);
});

test('a full last page is followed by no request, and an empty list is one request', async () => {
  const full = numbers(6, 3);
  await full.list.toArray();
  assert.deepEqual(full.requested, [0, 1]);
  const empty = numbers(0, 3);
  assert.deepEqual(await empty.list.toArray(), []);
  assert.deepEqual(empty.requested, [0]);
});

test('pages that are not read are not requested', async () => {
  const { list, requested } = numbers(100, 10);
  assert.deepEqual(requested, []);
  for await (const item of list) if (item === 12) break;
  assert.deepEqual(requested, [0, 1]);
});
