// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasFilters, readFilters, toSearchQuery } from './filters.ts';

const NOW = Date.UTC(2026, 10, 23, 12);

test('filters are read from an address, and unknown values are ignored', () => {
  assert.deepEqual(readFilters({ kind: 'image', changed: 'week', size: 'huge', under: '/a' }), {
    in: undefined,
    kind: 'image',
    changed: 'week',
    size: 'huge',
    under: '/a',
    scope: undefined,
    sort: undefined,
  });
  assert.equal(readFilters({ sort: 'size' }).sort, 'size');
  assert.equal(readFilters({ sort: 'match' }).sort, undefined, 'the default is not in the address');
  const none = readFilters({ kind: 'tree', changed: 7, size: null, under: 'a' });
  assert.equal(hasFilters(none), false);
  assert.equal(hasFilters(readFilters({ under: '/' })), false, 'everything is below the root');
  const all = readFilters({ scope: 'all', under: '/a' });
  assert.deepEqual([all.scope, all.under], ['all', undefined], 'a folder belongs to one drive');
  assert.equal(hasFilters(all), false);
});

test('a search in content has no filter for folders, because they have no content', () => {
  const { in: target, kind } = readFilters({ in: 'content', kind: 'folder' });
  assert.deepEqual([target, kind], ['content', undefined]);
  assert.equal(readFilters({ in: 'content', kind: 'document' }).kind, 'document');
  assert.equal(readFilters({ in: 'all' }).in, undefined);
  assert.equal(hasFilters(readFilters({ in: 'content' })), false);
});

test('filters become parameters of the request', () => {
  assert.deepEqual(defined(toSearchQuery('a b', {}, NOW)), { q: 'a b' });
  assert.deepEqual(defined(toSearchQuery('a', { scope: 'all' }, NOW)), { q: 'a', drive: 'all' });
  assert.deepEqual(defined(toSearchQuery('a', { in: 'content' }, NOW)), { q: 'a', in: 'content' });
  assert.deepEqual(defined(toSearchQuery('', { in: 'content', kind: 'image' }, NOW)), { kind: 'IMAGE' });
  assert.deepEqual(defined(toSearchQuery('', { kind: 'folder', under: '/a' }, NOW)), {
    type: 'directory',
    under: '/a',
  });
  assert.deepEqual(defined(toSearchQuery('x', { kind: 'document', size: 'medium', changed: 'week' }, NOW)), {
    q: 'x',
    type: 'file',
    kind: 'DOCUMENT',
    modifiedFrom: '2026-11-16T12:00:00.000Z',
    minSize: 1_000_000,
    maxSize: 99_999_999,
  });
});

test('today begins at midnight of the local time', () => {
  const { modifiedFrom } = toSearchQuery('', { changed: 'today' }, NOW);
  const start = new Date(modifiedFrom ?? '');
  assert.deepEqual([start.getHours(), start.getMinutes()], [0, 0]);
  assert.ok(start.getTime() <= NOW && NOW - start.getTime() < 24 * 3_600_000);
});

function defined(query: object): object {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}
