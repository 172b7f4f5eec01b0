import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FITTING, fitted, kept, MAX_SCALE, panned, turned, zoomed } from './zoom.ts';

const STAGE = { width: 800, height: 600 };
const PICTURE = { width: 800, height: 400 };

test('the point under the pointer stays in place', () => {
  const lie = zoomed(FITTING, 2, { x: 100, y: 50 });
  assert.deepEqual(lie, { scale: 2, x: -100, y: -50 });
  assert.deepEqual(zoomed(lie, 0.5, { x: 100, y: 50 }), FITTING);
});

test('there is a maximum and a minimum', () => {
  assert.equal(zoomed(FITTING, 1_000).scale, MAX_SCALE);
  assert.equal(zoomed(FITTING, 0.001).scale, 1);
});

test('a picture cannot be moved out of view', () => {
  const large = zoomed(FITTING, 2);
  assert.deepEqual(kept(panned(large, { x: 5_000, y: -5_000 }), PICTURE, STAGE), {
    scale: 2,
    x: 400,
    y: -100,
  });
  assert.deepEqual(kept(panned(FITTING, { x: 50, y: 50 }), PICTURE, STAGE), FITTING);
});

test('a large picture is fitted to the view, and a small one keeps its size', () => {
  assert.deepEqual(fitted({ width: 1_600, height: 600 }, STAGE), { width: 800, height: 300 });
  assert.deepEqual(fitted(turned({ width: 1_600, height: 600 }), STAGE), { width: 225, height: 600 });
  assert.deepEqual(fitted({ width: 64, height: 32 }, STAGE), { width: 64, height: 32 });
});
