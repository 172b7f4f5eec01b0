import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainOf, childOf, isWithin, nameOf, parentOf } from './drive-paths.ts';

test('a path is the chain of its directories', () => {
  assert.deepEqual(chainOf('/'), ['/']);
  assert.deepEqual(chainOf('/a/b c'), ['/', '/a', '/a/b c']);
});

test('name, parent and child are told apart at the root too', () => {
  assert.deepEqual([nameOf('/'), nameOf('/a/b')], ['', 'b']);
  assert.deepEqual([parentOf('/'), parentOf('/a'), parentOf('/a/b')], ['/', '/', '/a']);
  assert.deepEqual([childOf('/', 'a'), childOf('/a', 'b')], ['/a', '/a/b']);
});

test('a name that begins like a directory does not lie within it', () => {
  assert(isWithin('/a', '/a') && isWithin('/a/b', '/a') && isWithin('/a', '/'));
  assert(!isWithin('/ab', '/a') && !isWithin('/', '/a'));
});
