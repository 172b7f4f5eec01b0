// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCycles, findFolderCycles } from './cycles.ts';

const graphOf = (imports: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(imports));

test('files that import each other are found', () => {
  const graph = graphOf({ 'a/one.ts': ['a/two.ts'], 'a/two.ts': ['b/three.ts'], 'b/three.ts': ['a/one.ts'] });
  assert.deepEqual(findCycles(graph), [['a/one.ts', 'a/two.ts', 'b/three.ts', 'a/one.ts']]);
  assert.deepEqual(findCycles(graphOf({ 'a/one.ts': ['a/two.ts'], 'a/two.ts': [] })), []);
});

test('folders that import each other are found, even if no two of their files do', () => {
  const graph = graphOf({
    'src/a/one.ts': ['src/b/one.ts'],
    'src/b/one.ts': [],
    'src/b/two.ts': ['src/c/deep/one.ts'],
    'src/c/deep/one.ts': [],
    'src/c/two.ts': ['src/a/two.ts'],
    'src/a/two.ts': [],
  });
  assert.deepEqual(findCycles(graph), []);
  assert.deepEqual(findFolderCycles(graph), [
    {
      path: ['src/a', 'src/b', 'src/c', 'src/a'],
      imports: [
        'src/a/one.ts → src/b/one.ts',
        'src/b/two.ts → src/c/deep/one.ts',
        'src/c/two.ts → src/a/two.ts',
      ],
    },
  ]);
});

test('subfolders that import each other are found', () => {
  const graph = graphOf({
    'src/drive/tree/one.ts': ['src/drive/bin/one.ts'],
    'src/drive/bin/one.ts': [],
    'src/drive/bin/two.ts': ['src/drive/tree/two.ts'],
    'src/drive/tree/two.ts': [],
  });
  assert.deepEqual(
    findFolderCycles(graph).map(({ path }) => path),
    [['src/drive/tree', 'src/drive/bin', 'src/drive/tree']],
  );
});

test('a file and the folder next to it that import each other are found', () => {
  const graph = graphOf({
    'drive/drive.ts': ['drive/tree/one.ts'],
    'drive/tree/one.ts': [],
    'drive/tree/two.ts': ['drive/drive.ts'],
  });
  assert.deepEqual(
    findFolderCycles(graph).map(({ path }) => path),
    [['drive/drive.ts', 'drive/tree', 'drive/drive.ts']],
  );
});

test('a folder may use files next to it that do not use it', () => {
  const graph = graphOf({
    'drive/drive.ts': ['drive/tree/one.ts'],
    'drive/tree/one.ts': ['drive/paths.ts'],
    'drive/paths.ts': [],
  });
  assert.deepEqual(findFolderCycles(graph), []);
});
