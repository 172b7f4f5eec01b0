// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runForEach } from './run-for-each.ts';

test('each entry is handled once, a few at a time, and a failure does not stop the others', async () => {
  let running = 0;
  let most = 0;
  const seen: number[] = [];
  const settled: number[] = [];
  const outcome = await runForEach(
    Array.from({ length: 20 }, (_, index) => index),
    async (number) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      seen.push(number);
      if (number % 7 === 3) throw new Error(`no ${number}`);
    },
    (count) => settled.push(count),
  );
  assert.equal(new Set(seen).size, 20);
  assert(most <= 4);
  assert.deepEqual(
    outcome.failed.toSorted((a, b) => a - b),
    [3, 10, 17],
  );
  assert.equal(outcome.done.length, 17);
  assert.match(String(outcome.error), /no 3/);
  assert.equal(settled.at(-1), 20);
});
