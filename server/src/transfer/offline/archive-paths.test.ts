// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFileName } from '../../base/text/names/file-name.ts';
import { toArchivePaths } from './archive-paths.ts';

function pathsOf(...files: readonly (readonly [name: string, relativePath?: string])[]): readonly string[] {
  return toArchivePaths(
    files.map(([name, relativePath = null]) => ({ name: toFileName(name), relativePath })),
  );
}

test('files keep their directories, whether or not the relative path includes the file name', () => {
  assert.deepEqual(pathsOf(['a.txt'], ['b.txt', 'trip/b.txt'], ['c.txt', 'trip/day 1'], ['d', 'd']), [
    'a.txt',
    'trip/b.txt',
    'trip/day 1/c.txt',
    'd',
  ]);
});

test('no two paths are equal, even if case is ignored', () => {
  assert.deepEqual(pathsOf(['a.txt'], ['A.TXT'], ['a.txt'], ['a (2).txt'], ['a.txt', 'x/a.txt']), [
    'a.txt',
    'A (2).TXT',
    'a (3).txt',
    'a (4).txt',
    'x/a.txt',
  ]);
});

test('a file and a directory of the same name get different paths', () => {
  assert.deepEqual(pathsOf(['x'], ['a', 'x/a'], ['b', 'x/b'], ['x', 'y/x'], ['y']), [
    'x',
    'x (2)/a',
    'x (2)/b',
    'y/x',
    'y (2)',
  ]);
});

test('a thousand files of the same name get their paths quickly', () => {
  const paths = pathsOf(...Array.from({ length: 1_000 }, () => ['a.txt'] as const));
  assert.deepEqual([new Set(paths).size, paths.at(-1)], [1_000, 'a (1000).txt']);
});
