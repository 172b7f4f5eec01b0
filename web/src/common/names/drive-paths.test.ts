// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, chainOf, childOf, commonFolder, isWithin, nameOf, parentOf } from './drive-paths.ts';

test('a path consists of its directories', () => {
  assert.deepEqual(chainOf('/'), ['/']);
  assert.deepEqual(chainOf('/a/b c'), ['/', '/a', '/a/b c']);
});

test('the root also has a correct name, parent and child', () => {
  assert.deepEqual([nameOf('/'), nameOf('/a/b')], ['', 'b']);
  assert.deepEqual([parentOf('/'), parentOf('/a'), parentOf('/a/b')], ['/', '/', '/a']);
  assert.deepEqual([childOf('/', 'a'), childOf('/a', 'b')], ['/a', '/a/b']);
});

test('the common folder of two paths is the deepest one that contains both', () => {
  assert.deepEqual([commonFolder('/a/b', '/a/b/c'), commonFolder('/a/bc', '/a/b')], ['/a/b', '/a']);
  assert.deepEqual([commonFolder('/a', '/b'), commonFolder('/', '/b')], ['/', '/']);
});

test('a name that merely begins like a directory is not inside it', () => {
  assert(isWithin('/a', '/a') && isWithin('/a/b', '/a') && isWithin('/a', '/'));
  assert(!isWithin('/ab', '/a') && !isWithin('/', '/a'));
});

test('an address leads to the folder, or to the file in its folder', () => {
  const folder = { id: 1, path: '/50% & more/#1?', parentPath: '/50% & more', directory: true };
  assert.equal(addressOf(folder, undefined), '/drive/50%25%20%26%20more/%231%3F');
  const file = { id: 7, path: '/a/b.txt', parentPath: '/a', directory: false };
  assert.equal(addressOf(file, undefined), '/drive/a?select=7');
  assert.equal(addressOf(file, 12), '/drives/12/files/a?select=7');
});
