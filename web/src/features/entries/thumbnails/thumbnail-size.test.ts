// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thumbnailSizeFor } from './thumbnail-size.ts';

test('small elements on ordinary screens get the small thumbnail', () => {
  for (const [width, height, density] of [
    [22, 22, 3],
    [110, 110, 2],
    [256, 180, 1],
    [300, 200, 1],
  ] as const) {
    assert.equal(thumbnailSizeFor(width, height, density), 256, `${width} ${height} ${density}`);
  }
});

test('large elements, and high-density screens, get the large thumbnail', () => {
  for (const [width, height, density] of [
    [360, 360, 1],
    [180, 120, 2],
    [120, 180, 3],
  ] as const) {
    assert.equal(thumbnailSizeFor(width, height, density), 1024, `${width} ${height} ${density}`);
  }
});
