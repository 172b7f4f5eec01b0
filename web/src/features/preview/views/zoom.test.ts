// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FITTING, fitSize, limitToStage, MAX_SCALE, panned, turnSize, zoomed } from './zoom.ts';

const STAGE = { width: 800, height: 600 };
const PICTURE = { width: 800, height: 400 };

test('the point under the pointer stays in place', () => {
  const position = zoomed(FITTING, 2, { x: 100, y: 50 });
  assert.deepEqual(position, { scale: 2, x: -100, y: -50 });
  assert.deepEqual(zoomed(position, 0.5, { x: 100, y: 50 }), FITTING);
});

test('the scale has a maximum and a minimum', () => {
  assert.equal(zoomed(FITTING, 1_000).scale, MAX_SCALE);
  assert.equal(zoomed(FITTING, 0.001).scale, 1);
});

test('a picture cannot be moved out of view', () => {
  const large = zoomed(FITTING, 2);
  assert.deepEqual(limitToStage(panned(large, { x: 5_000, y: -5_000 }), PICTURE, STAGE), {
    scale: 2,
    x: 400,
    y: -100,
  });
  assert.deepEqual(limitToStage(panned(FITTING, { x: 50, y: 50 }), PICTURE, STAGE), FITTING);
});

test('a large picture is fitted to the view, and a small one keeps its size', () => {
  assert.deepEqual(fitSize({ width: 1_600, height: 600 }, STAGE), { width: 800, height: 300 });
  assert.deepEqual(fitSize(turnSize({ width: 1_600, height: 600 }), STAGE), { width: 225, height: 600 });
  assert.deepEqual(fitSize({ width: 64, height: 32 }, STAGE), { width: 64, height: 32 });
});
