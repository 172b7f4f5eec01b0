// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_READABLE, withUnreadable } from './unreadable.ts';

test('counts all unreadable files and names the first hundred', () => {
  let unreadable = ALL_READABLE;
  for (let index = 0; index < 250; index += 1) unreadable = withUnreadable(unreadable, `trip/${index}`);
  assert.equal(unreadable.count, 250);
  assert.deepEqual([unreadable.paths.length, unreadable.paths.at(-1)], [100, 'trip/99']);
});
