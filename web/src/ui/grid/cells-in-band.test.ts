// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { areTogether, type Band, type CellLayout, cellsInBand } from './cells-in-band.ts';

const TILES: CellLayout = { total: 10, columns: 4, width: 400, lineHeight: 100, head: 0 };
const ROWS: CellLayout = { total: 10, columns: 1, width: 400, lineHeight: 44, head: 40 };

function touched(band: Band, layout: CellLayout): number[] {
  const cells = cellsInBand(band, layout);
  if (cells === undefined) return [];
  const { first, last, count, has } = cells;
  const indexes = Array.from({ length: last - first + 1 }, (_, step) => first + step).filter(has);
  assert.deepEqual([indexes[0], indexes.at(-1), indexes.length], [first, last, count]);
  return indexes;
}

test('a band over tiles touches a rectangle of them', () => {
  assert.deepEqual(touched({ left: 150, top: 50, right: 250, bottom: 150 }, TILES), [1, 2, 5, 6]);
  assert.deepEqual(touched({ left: 0, top: 0, right: 1_000, bottom: 1_000 }, TILES).length, 10);
});

test('empty places in the last line are left out', () => {
  assert.deepEqual(touched({ left: 150, top: 210, right: 390, bottom: 290 }, TILES), [9]);
  assert.deepEqual(touched({ left: 310, top: 210, right: 390, bottom: 290 }, TILES), []);
  assert.deepEqual(touched({ left: 310, top: 110, right: 390, bottom: 290 }, TILES), [7]);
});

test('a band over rows touches lines, whatever its width', () => {
  assert.deepEqual(touched({ left: 10, top: 90, right: 11, bottom: 180 }, ROWS), [1, 2, 3]);
  assert.deepEqual(touched({ left: 10, top: 470, right: 20, bottom: 900 }, ROWS), [9]);
});

test('a band above or below all cells touches none', () => {
  assert.deepEqual(touched({ left: 0, top: 0, right: 50, bottom: 30 }, ROWS), []);
  assert.deepEqual(touched({ left: 0, top: 600, right: 50, bottom: 700 }, ROWS), []);
  assert.deepEqual(touched({ left: 0, top: 0, right: 50, bottom: 900 }, { ...ROWS, total: 0 }), []);
});

test('whole lines, or parts of one line, are a contiguous range of cells', () => {
  const isTogether = (band: Band) => {
    const cells = cellsInBand(band, TILES);
    return cells && areTogether(cells);
  };
  assert.equal(isTogether({ left: 0, top: 50, right: 399, bottom: 290 }), true);
  assert.equal(isTogether({ left: 150, top: 50, right: 250, bottom: 60 }), true);
  assert.equal(isTogether({ left: 150, top: 50, right: 250, bottom: 160 }), false);
});

test('a band touches exactly the cells that overlap with it', () => {
  const length = fc.integer({ min: -300, max: 1_500 });
  const layouts = fc.record({
    total: fc.nat(40),
    columns: fc.integer({ min: 1, max: 7 }),
    // A whole number of pixels for each column.
    width: fc.constant(840),
    lineHeight: fc.integer({ min: 20, max: 150 }),
    head: fc.constantFrom(0, 40),
  });
  const check = (x: number, y: number, width: number, height: number, layout: CellLayout) => {
    const band = { left: x, top: y, right: x + width, bottom: y + height };
    const expected = Array.from({ length: layout.total }, (_, index) => index).filter((index) => {
      const left = ((index % layout.columns) * layout.width) / layout.columns;
      const top = layout.head + Math.floor(index / layout.columns) * layout.lineHeight;
      const isBeside = left > band.right || left + layout.width / layout.columns <= band.left;
      return !isBeside && top <= band.bottom && top + layout.lineHeight > band.top;
    });
    assert.deepEqual(touched(band, layout), expected);
  };
  fc.assert(fc.property(length, length, fc.nat(1_000), fc.nat(1_000), layouts, check));
});

test('a band over a hundred thousand cells is described without a list of them', () => {
  const layout = { ...TILES, total: 100_000, columns: 8, width: 800 };
  const cells = cellsInBand({ left: 150, top: 0, right: 250, bottom: 2_000_000 }, layout);
  assert.deepEqual([cells?.first, cells?.last, cells?.count], [1, 99_994, 25_000]);
  assert.deepEqual(
    [99_992, 99_993, 99_994, 99_995].map((index) => cells?.has(index)),
    [false, true, true, false],
  );
});
