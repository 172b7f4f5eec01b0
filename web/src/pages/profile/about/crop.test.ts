// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clampToPicture, drag, LARGEST_SQUARE, squareOf } from './crop.ts';

const WIDE = { width: 400, height: 200 };

test('the initial crop is the largest square in the centre', () => {
  assert.deepEqual(squareOf(LARGEST_SQUARE, WIDE), { left: 100, top: 0, side: 200 });
  assert.deepEqual(squareOf(LARGEST_SQUARE, { width: 200, height: 400 }), { left: 0, top: 100, side: 200 });
});

test('the crop never leaves the picture', () => {
  for (const crop of [
    { zoom: 0.1, x: -3, y: 9 },
    { zoom: 2, x: 0, y: 0 },
    { zoom: 99, x: 1, y: 1 },
  ]) {
    const { left, top, side } = squareOf(crop, WIDE);
    assert.ok(left >= 0 && top >= 0 && left + side <= 400 && top + side <= 200, JSON.stringify(crop));
  }
  assert.deepEqual(clampToPicture({ zoom: 2, x: 0, y: 0 }, WIDE), { zoom: 2, x: 0.125, y: 0.25 });
});

test('dragging the picture to the right moves the square left, up to the edge of the picture', () => {
  assert.deepEqual(squareOf(drag(LARGEST_SQUARE, { x: 0.25, y: 0.25 }, WIDE), WIDE), {
    left: 50,
    top: 0,
    side: 200,
  });
  assert.deepEqual(squareOf(drag(LARGEST_SQUARE, { x: 9, y: 0 }, WIDE), WIDE), {
    left: 0,
    top: 0,
    side: 200,
  });
});
