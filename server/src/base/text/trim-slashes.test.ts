// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimSlashes } from './trim-slashes.ts';

for (const [text, trimmed] of [
  ['', ''],
  ['///', ''],
  ['a', 'a'],
  ['/a/b//', 'a/b'],
  ['//a//b', 'a//b'],
] as const) {
  test(`"${text}" without slashes around it is "${trimmed}"`, () => assert.equal(trimSlashes(text), trimmed));
}

test('a long run of slashes in the middle takes linear time', () => {
  const text = `a${'/'.repeat(1_000_000)}b`;
  // CPU time, because other processes may use the cores.
  const before = process.cpuUsage();
  assert.equal(trimSlashes(text), text);
  assert.ok(process.cpuUsage(before).user < 500_000);
});
