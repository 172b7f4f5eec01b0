// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFiltering, readPhotoFilter, toQuery } from './photo-filter.ts';

test('the filter of an address is sent to the service, without unknown values', () => {
  const filter = readPhotoFilter({ kind: 'video', starred: true, screenshots: false, preview: 7 });
  assert.deepEqual(toQuery(filter), { kind: 'VIDEO', starred: true, screenshots: false });
  assert.ok(isFiltering(filter));
  const none = readPhotoFilter({ kind: 'song', starred: 'yes', screenshots: true });
  assert.deepEqual([none, isFiltering(none), toQuery(none)], [{}, false, {}]);
});
