// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOutDays, lineAtTop, lineOfPicture, moveInDays, picturesInBand } from './day-lines.ts';

const DAYS = [
  { day: '2026-11-14', count: 4 },
  { day: '2026-11-02', count: 1 },
  { day: '2025-01-01', count: 3 },
];
const SIZES = { columns: 3, lineHeight: 100, headHeight: 40, headColumns: 1 };
const { lines, height } = layOutDays(DAYS, SIZES);

/** One picture on most days, and three pictures on two of them. */
const SPARSE = [
  ...[9, 8, 7].map((day) => ({ day: `2026-05-0${day}`, count: 1 })),
  { day: '2026-05-06', count: 3 },
  { day: '2026-05-05', count: 1 },
  { day: '2026-04-30', count: 1 },
  { day: '2026-04-29', count: 3 },
  { day: '2026-04-28', count: 7 },
  { day: '2026-04-27', count: 1 },
];
const sparse = layOutDays(SPARSE, { ...SIZES, columns: 5 }).lines;

test('a day that does not fit next to the previous one begins a new line with its own heading', () => {
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
  assert.deepEqual(layOutDays([], SIZES), { lines: [], height: 0 });
});

test('days of one month with few pictures share a line', () => {
  const shown = sparse.map(({ count, first, blocks }) => [
    count,
    first,
    blocks.map((block) => `${block.day.slice(5)} at ${block.column}, ${block.count} of ${block.span}`),
  ]);
  const may = ['05-09 at 0, 1 of 1', '05-08 at 1, 1 of 1', '05-07 at 2, 1 of 1'];
  const laterMay = ['05-06 at 0, 3 of 3', '05-05 at 3, 1 of 1'];
  const april = ['04-30 at 0, 1 of 1', '04-29 at 1, 3 of 3'];
  assert.deepEqual(shown, [
    [0, 0, may],
    [3, 0, may],
    [0, 3, laterMay],
    [4, 3, laterMay],
    [0, 7, april],
    [4, 7, april],
    [0, 11, ['04-28 at 0, 7 of 5']],
    [5, 11, ['04-28 at 0, 5 of 5']],
    [2, 16, ['04-28 at 0, 2 of 5']],
    [0, 18, ['04-27 at 0, 1 of 5']],
    [1, 18, ['04-27 at 0, 1 of 5']],
  ]);
});

test('if a heading needs several columns, the columns after the pictures stay free', () => {
  const narrow = layOutDays(SPARSE.slice(0, 3), { ...SIZES, columns: 5, headColumns: 2 });
  const blocks = narrow.lines.map((line) => line.blocks.map(({ day, column, span }) => [day, column, span]));
  const two = [
    ['2026-05-09', 0, 2],
    ['2026-05-08', 2, 2],
  ];
  assert.deepEqual(blocks, [two, two, [['2026-05-07', 0, 5]], [['2026-05-07', 0, 5]]]);
  const layout = { total: 3, columns: 5, lines: 2 };
  const move = (key: string, from: number) => moveInDays(narrow.lines, key, from, layout);
  assert.deepEqual([move('ArrowDown', 1), move('ArrowUp', 2), move('ArrowRight', 0)], [2, 0, 1]);
  const touch = (left: number, right: number) =>
    picturesInBand(narrow.lines, { left, top: 50, right, bottom: 60 }, 100);
  assert.equal(touch(110, 190), undefined, 'the free column');
  assert.deepEqual([touch(110, 250)?.first, touch(110, 250)?.last, touch(110, 250)?.count], [1, 1, 1]);
});

test('keys keep their column between shared lines, and move to the last picture of a shorter line', () => {
  const layout = { total: 19, columns: 5, lines: 2 };
  const move = (key: string, from: number) => moveInDays(sparse, key, from, layout);
  assert.deepEqual(
    [0, 2, 6, 10, 15].map((from) => move('ArrowDown', from)),
    [3, 5, 10, 14, 17],
  );
  assert.deepEqual(
    [6, 10, 13, 18].map((from) => move('ArrowUp', from)),
    [2, 6, 9, 16],
  );
  const has = picturesInBand(sparse, { left: 150, top: 50, right: 250, bottom: 400 }, 100)?.has;
  assert.deepEqual(
    Array.from({ length: 11 }, (_, index) => index).filter((index) => has?.(index)),
    [1, 2, 4, 5, 8, 9],
  );
});

test('a line is found by its position and by a picture', () => {
  assert.deepEqual(
    [-5, 0, 39, 40, 239, 240, 9_999].map((top) => lineAtTop(lines, top)),
    [0, 0, 0, 1, 2, 3, 6],
  );
  assert.deepEqual(
    [0, 2, 3, 4, 5, 7].map((index) => lineOfPicture(lines, index)),
    [1, 1, 2, 4, 6, 6],
  );
});

test('a rectangle touches pictures of several days, but no headings', () => {
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
