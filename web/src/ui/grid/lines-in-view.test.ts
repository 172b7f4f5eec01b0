// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesInView, topToShow } from './lines-in-view.ts';

const lines = { count: 100_000, height: 44, top: 0, visible: 440 };

test('the visible lines are rendered, and a few around them', () => {
  assert.deepEqual(linesInView(lines), { first: 0, last: 16 });
  assert.deepEqual(linesInView({ ...lines, top: 44_000 }), { first: 994, last: 1_016 });
  assert.deepEqual(linesInView({ ...lines, top: 100_000 * 44 - 440 }), { first: 99_984, last: 99_999 });
  assert.deepEqual(linesInView({ ...lines, count: 3 }), { first: 0, last: 2 });
});

test('nothing is rendered in a box without height, or beyond the end of a shortened list', () => {
  assert.deepEqual(linesInView({ ...lines, visible: 0 }), { first: 0, last: -1 });
  assert.deepEqual(linesInView({ ...lines, count: 3, top: 44_000 }), { first: 0, last: 2 });
});

test('scrolling stops as soon as a line is completely visible', () => {
  const at = (top: number, line: number) => topToShow(line, { ...lines, top });
  assert.equal(at(440, 15), 440);
  assert.equal(at(440, 9), 396);
  assert.equal(at(440, 20), 484);
});
