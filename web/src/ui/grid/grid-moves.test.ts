// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findByPrefix, moveTo } from './grid-moves.ts';

const LIST = { total: 100, columns: 1, lines: 10 };
const TILES = { total: 10, columns: 4, lines: 2 };

test('in a list, keys move by lines and pages, but not beyond the ends', () => {
  const from = (index: number) =>
    ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'].map((key) => moveTo(key, index, LIST));
  assert.deepEqual(from(50), [49, 51, 41, 59, 0, 99]);
  assert.deepEqual(from(0), [0, 1, 0, 9, 0, 99]);
  assert.deepEqual(from(99), [98, 99, 90, 99, 0, 99]);
  assert.equal(moveTo('ArrowRight', 5, LIST), undefined);
});

test('the first key moves to the first entry', () => {
  assert.equal(moveTo('ArrowDown', -1, LIST), 0);
  assert.equal(moveTo('ArrowDown', -1, { ...LIST, total: 0 }), undefined);
});

test('among tiles the keys move in four directions, and down into a shorter last line', () => {
  assert.deepEqual(
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => moveTo(key, 5, TILES)),
    [4, 6, 1, 9],
  );
  assert.equal(moveTo('ArrowDown', 7, TILES), 9);
  assert.equal(moveTo('ArrowDown', 8, TILES), 8);
});

test('typing finds the next name with that prefix, and wraps around', () => {
  const names = ['Apple', undefined, 'banana', 'Ärger', 'apricot'];
  assert.equal(findByPrefix(names, 'b', 0), 2);
  assert.equal(findByPrefix(names, 'AP', 1), 4);
  assert.equal(findByPrefix(names, 'app', 3), 0);
  assert.equal(findByPrefix(names, 'ä', 0), 3);
  assert.equal(findByPrefix(names, 'x', 0), undefined);
});
