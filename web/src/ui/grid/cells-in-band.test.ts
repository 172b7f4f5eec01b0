import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Band, type CellLayout, cellsInBand } from './cells-in-band.ts';

const TILES: CellLayout = { total: 10, columns: 4, width: 400, lineHeight: 100, head: 0 };
const ROWS: CellLayout = { total: 10, columns: 1, width: 400, lineHeight: 44, head: 40 };

function touched(band: Band, layout: CellLayout): number[] {
  return [...cellsInBand(band, layout)];
}

test('a band over tiles touches a rectangle of them', () => {
  assert.deepEqual(touched({ left: 150, top: 50, right: 250, bottom: 150 }, TILES), [1, 2, 5, 6]);
  assert.deepEqual(touched({ left: 0, top: 0, right: 1_000, bottom: 1_000 }, TILES).length, 10);
});

test('places without a tile in the last line are left out', () => {
  assert.deepEqual(touched({ left: 150, top: 210, right: 390, bottom: 290 }, TILES), [9]);
  assert.deepEqual(touched({ left: 310, top: 210, right: 390, bottom: 290 }, TILES), []);
});

test('a band over rows touches lines, whatever its width', () => {
  assert.deepEqual(touched({ left: 10, top: 90, right: 11, bottom: 180 }, ROWS), [1, 2, 3]);
  assert.deepEqual(touched({ left: 10, top: 470, right: 20, bottom: 900 }, ROWS), [9]);
});

test('a band above or below all cells touches none', () => {
  assert.deepEqual(touched({ left: 0, top: 0, right: 50, bottom: 30 }, ROWS), []);
  assert.deepEqual(touched({ left: 0, top: 600, right: 50, bottom: 700 }, ROWS), []);
});
