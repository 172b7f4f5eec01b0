// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Leftovers } from './leftovers.ts';

test('the newest leftover is removed first', () => {
  const removed: string[] = [];
  const leftovers = new Leftovers();
  leftovers.add(() => removed.push('directory'));
  leftovers.add(() => removed.push('program'));
  leftovers.removeAll();
  assert.deepEqual(removed, ['program', 'directory']);
});

test('a leftover that was removed early is not removed again', () => {
  let count = 0;
  const leftovers = new Leftovers();
  const remove = leftovers.add(() => {
    count += 1;
  });
  remove();
  remove();
  leftovers.removeAll();
  assert.equal(count, 1);
});
