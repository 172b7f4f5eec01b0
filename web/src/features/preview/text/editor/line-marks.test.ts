// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topOfLine } from './line-marks.ts';

test('the place of a line is between those of the blocks around it', () => {
  const marks = [
    { line: 1, top: 16 },
    { line: 3, top: 100 },
    { line: 7, top: 180 },
  ];
  const end = { line: 11, top: 260 };
  const tops = [1, 2, 3, 5, 7, 9, 11].map((line) => topOfLine(marks, line, end));
  assert.deepEqual(tops, [16, 58, 100, 140, 180, 220, 260]);
  assert.equal(topOfLine([], 1, { line: 1, top: 50 }), 0);
});
