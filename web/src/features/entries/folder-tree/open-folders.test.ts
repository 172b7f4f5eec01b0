// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openedTo } from './open-folders.ts';

test('the parents of the shown folder are opened', () => {
  assert.deepEqual([...openedTo(new Set(['/']), '/a/b/c')], ['/', '/a', '/a/b']);
  assert.deepEqual([...openedTo(new Set(['/x']), '/a/b/c')], ['/x', '/', '/a', '/a/b']);
});

test('nothing changes if the parents of the shown folder are already open', () => {
  const open = new Set(['/', '/a']);
  assert.equal(openedTo(open, '/a/b'), open);
  assert.equal(openedTo(open, '/'), open);
});
