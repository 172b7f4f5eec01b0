// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toArchiveTree } from './archive-tree.ts';

const file = (path: string) => ({ path, directory: false, size: 3, modifiedAt: null });
const folder = (path: string) => ({
  path,
  directory: true,
  size: 0,
  modifiedAt: '2026-01-02T03:04:05Z',
});

const namesIn = (entries: Parameters<typeof toArchiveTree>[0], path: string) =>
  toArchiveTree(entries, 'en')
    .get(path)
    ?.map(({ name }) => name);

test('folders come first, also those that occur only in paths, and numbers are sorted by value', () => {
  const entries = [file('b10.txt'), file('b2.txt'), file('docs/deep/x.txt'), file('./docs//a.txt')];
  assert.deepEqual(namesIn(entries, ''), ['docs', 'b2.txt', 'b10.txt']);
  assert.deepEqual(namesIn(entries, 'docs'), ['deep', 'a.txt']);
  assert.deepEqual(namesIn(entries, 'docs/deep'), ['x.txt']);
});

test('a folder that is described after its content keeps the content and gets its date', () => {
  const tree = toArchiveTree([file('docs/a.txt'), folder('docs/')], 'en');
  assert.deepEqual(
    tree.get('')?.map(({ path, modifiedAt }) => [path, modifiedAt]),
    [['docs', '2026-01-02T03:04:05Z']],
  );
  assert.equal(tree.get('docs')?.length, 1);
});

test('an empty folder and an empty archive have no content', () => {
  assert.deepEqual(namesIn([folder('empty/')], 'empty'), []);
  assert.deepEqual(namesIn([], ''), []);
});
