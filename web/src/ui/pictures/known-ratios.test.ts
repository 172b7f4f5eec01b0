// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLength } from './format-length.ts';
import { carryRatios } from './known-ratios.ts';

test('the ratios of unchanged days stay known when other days change', () => {
  const groups = [
    { name: 'c', count: 2 },
    { name: 'b', count: 1 },
    { name: 'a', count: 2 },
  ];
  const ratios = Float32Array.of(1, 2, 3, 4, 5);
  const next = [
    { name: 'd', count: 1 },
    { name: 'c', count: 2 },
    { name: 'a', count: 3 },
  ];
  assert.deepEqual([...carryRatios({ groups, ratios }, next)], [0, 1, 2, 0, 0, 0]);
  assert.deepEqual([...carryRatios({ groups: [], ratios: new Float32Array() }, groups)], [0, 0, 0, 0, 0]);
});

test('the length of a video is written like on a player', () => {
  assert.deepEqual([0.4, 7, 59.6, 61, 3_599, 3_750].map(formatLength), [
    ...['0:00', '0:07', '1:00', '1:01', '59:59', '1:02:30'],
  ]);
});
