import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOutDays, lineAtTop, lineOfPicture, moveInDays, picturesInBand } from './day-lines.ts';

const DAYS = [
  { day: '2026-11-14', count: 4 },
  { day: '2026-11-02', count: 1 },
  { day: '2025-01-01', count: 3 },
];
const { lines, height } = layOutDays(DAYS, { columns: 3, lineHeight: 100, headHeight: 40 });

test('each day has a heading and begins a new line', () => {
  assert.deepEqual(
    lines.map(({ top, day, first, count }) => [top, day, first, count]),
    [
      [0, '2026-11-14', 0, 0],
      [40, '2026-11-14', 0, 3],
      [140, '2026-11-14', 3, 1],
      [240, '2026-11-02', 4, 0],
      [280, '2026-11-02', 4, 1],
      [380, '2025-01-01', 5, 0],
      [420, '2025-01-01', 5, 3],
    ],
  );
  assert.equal(height, 520);
  assert.deepEqual(layOutDays([], { columns: 3, lineHeight: 1, headHeight: 1 }), { lines: [], height: 0 });
});

test('a line is found by its place and by a picture', () => {
  assert.deepEqual(
    [-5, 0, 39, 40, 239, 240, 9_999].map((top) => lineAtTop(lines, top)),
    [0, 0, 0, 1, 2, 3, 6],
  );
  assert.deepEqual(
    [0, 2, 3, 4, 5, 7].map((index) => lineOfPicture(lines, index)),
    [1, 1, 2, 4, 6, 6],
  );
});

test('a rectangle touches pictures of several days, and no headings', () => {
  const touched = (left: number, top: number, right: number, bottom: number) => {
    const {
      first = 0,
      last = -1,
      count = 0,
      has,
    } = picturesInBand(lines, { left, top, right, bottom }, 100) ?? {};
    const indexes = Array.from({ length: last - first + 1 }, (_, step) => first + step).filter(
      (index) => has?.(index) === true,
    );
    assert.equal(indexes.length, count);
    return indexes;
  };
  assert.deepEqual(touched(110, 10, 250, 30), []);
  assert.deepEqual(touched(110, 10, 250, 60), [1, 2]);
  assert.deepEqual(touched(110, 10, 250, 450), [1, 2, 6, 7]);
  assert.deepEqual(touched(50, 200, 150, 450), [3, 4, 5, 6]);
  assert.deepEqual(touched(-10, 0, 999, 999), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(touched(0, 530, 999, 999), [], 'below everything');
  assert.equal(picturesInBand([], { left: 0, top: 0, right: 9, bottom: 9 }, 100), undefined);
});

test('keys move to the line above or below, also past headings and short lines', () => {
  const layout = { total: 8, columns: 3, lines: 2 };
  const move = (key: string, from: number) => moveInDays(lines, key, from, layout);
  assert.deepEqual(
    [0, 2, 3, 4, 6].map((from) => move('ArrowDown', from)),
    [3, 3, 4, 5, 6],
  );
  assert.deepEqual(
    [0, 2, 3, 4, 6].map((from) => move('ArrowUp', from)),
    [0, 2, 0, 3, 4],
  );
  assert.deepEqual([move('PageDown', 1), move('PageUp', 7), move('PageDown', 7)], [4, 3, 7]);
  assert.deepEqual([move('ArrowRight', 3), move('ArrowLeft', 3), move('End', 0)], [4, 2, 7]);
  assert.deepEqual([move('ArrowDown', -1), move('x', 1)], [0, undefined]);
  assert.equal(moveInDays(lines, 'ArrowRight', 0, { ...layout, columns: 1 }), 1);
});
