// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openedTo } from './open-folders.ts';

test('the folders above the shown one are opened, as long as the tree is open', () => {
  assert.deepEqual([...openedTo(new Set(['/']), '/a/b/c')], ['/', '/a', '/a/b']);
  assert.deepEqual([...openedTo(new Set(['/x']), '/a/b/c')], ['/x']);
});

test('nothing changes when they are open already', () => {
  const open = new Set(['/', '/a']);
  assert.equal(openedTo(open, '/a/b'), open);
  assert.equal(openedTo(open, '/'), open);
});
