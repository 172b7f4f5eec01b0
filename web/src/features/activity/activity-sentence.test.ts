// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actorKindOf, changeKindOf, isIn, namesIn } from './activity-sentence.ts';

test('a change is described by the names of the item and of its folders', () => {
  const moved = { path: '/Work/Plans/a.txt', fromPath: '/Old/b.txt', count: 1 };
  assert.deepEqual(namesIn(moved), {
    count: 1,
    name: 'a.txt',
    folder: 'Plans',
    before: 'b.txt',
    fromFolder: 'Old',
  });
  const { folder, fromFolder } = namesIn({ path: '/a.txt', fromPath: null, count: 3 });
  assert.deepEqual([folder, fromFolder], ['', ''], 'the drive itself is named by the caller');
});

test('a kind of change that the client does not know counts as a modification', () => {
  assert.equal(changeKindOf({ eventType: 'PURGED' }), 'purged');
  assert.equal(changeKindOf({ eventType: 'LATER' }), 'updated');
  assert.equal(changeKindOf({ eventType: 'toString' }), 'updated');
});

test('members, visitors, deleted accounts and the server are told apart', () => {
  assert.equal(actorKindOf({ accountId: 1, displayName: 'Bea' }), 'member');
  assert.equal(actorKindOf({ accountId: 1, displayName: null }), 'gone');
  assert.equal(actorKindOf({ accountId: null, displayName: 'Bea' }), 'visitor');
  assert.equal(actorKindOf({ accountId: null, displayName: null }), 'service');
});

test('the activity of a folder includes what left it, and nothing of folders with a longer name', () => {
  assert.equal(isIn({ path: '/Work/a.txt', fromPath: null }, '/Work'), true);
  assert.equal(isIn({ path: '/Other/a.txt', fromPath: '/Work/a.txt' }, '/Work'), true);
  assert.equal(isIn({ path: '/Workshop/a.txt', fromPath: null }, '/Work'), false);
  assert.equal(isIn({ path: null, fromPath: null }, '/Work'), false);
});
