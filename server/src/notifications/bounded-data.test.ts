// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBoundedData } from './bounded-data.ts';

test('bounded data has shorter texts the more of them there are', () => {
  const texts = (count: number) => Array.from({ length: count }, () => 'x'.repeat(600));
  assert.equal(toBoundedData({ texts: texts(1) }).texts[0]?.length, 512);
  assert.equal(toBoundedData({ texts: texts(100) }).texts[0]?.length, 32);
});

test('data that is too long without its texts is an error', () => {
  assert.throws(() => toBoundedData({ numbers: Array.from({ length: 2_000 }, () => 1_000) }), /4096 bytes/);
});
