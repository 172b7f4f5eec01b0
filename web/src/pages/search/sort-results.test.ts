// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { RESULT_ORDERS, type ResultOrder } from './filters.ts';
import { sortResults, toSortQuery } from './sort-results.ts';

function entry(id: number, filename: string, size: number, directory = false): EntryRecord {
  const at = new Date(Date.UTC(2026, 0, id)).toISOString();
  return {
    ...{ id, driveId: 1, filename, path: `/${filename}`, parentPath: '/', size, directory },
    ...{ contentType: null, starred: false, thumbnailVersion: null },
    ...{ createdAt: at, modifiedAt: at, updatedAt: at },
  };
}

const ALL = [entry(1, 'file 10', 5), entry(2, 'file 2', 9), entry(3, 'Zoo', 0, true)];

test('search results have the order of the service until another one is chosen', () => {
  const idsBy = (order: ResultOrder) => sortResults(ALL, order).map(({ id }) => id);
  assert.deepEqual(idsBy('match'), [1, 2, 3]);
  assert.deepEqual(idsBy('name'), [3, 2, 1]);
  assert.deepEqual(idsBy('size'), [2, 1, 3]);
  assert.deepEqual(idsBy('modifiedAt'), [3, 2, 1]);
});

test('the service sorts hits in content', () => {
  assert.deepEqual(RESULT_ORDERS.map(toSortQuery), [
    {},
    { sort: 'name', order: 'asc' },
    { sort: 'size', order: 'desc' },
    { sort: 'modifiedAt', order: 'desc' },
  ]);
});
