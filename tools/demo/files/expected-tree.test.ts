// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExpectedTree } from './expected-tree.ts';

const FILE = { sha256: 'ab', size: 1 };

function makeTree(): ExpectedTree {
  const tree = new ExpectedTree();
  tree.addFile('a/b/one.txt', FILE);
  tree.addFile('ab/two.txt', FILE);
  tree.addDirectory('a/empty');
  return tree;
}

test('a file creates the directories of its path', () => {
  assert.deepEqual([...makeTree().directories].sort(), ['a', 'a/b', 'a/empty', 'ab']);
});

test('a move takes everything below it, and nothing whose name merely begins alike', () => {
  const tree = makeTree();
  tree.move('a', 'ab/c');
  assert.deepEqual([...tree.files.keys()].sort(), ['ab/c/b/one.txt', 'ab/two.txt']);
  assert.deepEqual([...tree.directories].sort(), ['ab', 'ab/c', 'ab/c/b', 'ab/c/empty']);
});

test('a removed directory is restored as it was', () => {
  const tree = makeTree();
  const removed = tree.remove('a');
  assert.deepEqual([...tree.files.keys()], ['ab/two.txt']);
  tree.restore(removed);
  assert.deepEqual(tree.files.size, 2);
  assert.deepEqual([...tree.directories].sort(), [...makeTree().directories].sort());
});

test('only a directory without files and directories is empty', () => {
  assert.deepEqual([...makeTree().emptyDirectories()], ['a/empty']);
});
