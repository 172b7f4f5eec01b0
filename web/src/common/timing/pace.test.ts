// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.ts';

/** Simulates changes that keep coming without a pause. Returns the times at which they are handled. */
function timesOfStream(pace: Pace, count: number): readonly number[] {
  const times: number[] = [];
  for (let now = 0; times.length < count; ) {
    now += pace.waitMs(now);
    pace.handled(now);
    times.push(now);
  }
  return times;
}

test('changes that keep coming are handled less and less often, up to the longest interval', () => {
  const pace = new Pace({ firstMs: 250, lastMs: 2_000 });
  assert.deepEqual(timesOfStream(pace, 6), [250, 750, 1_750, 3_750, 5_750, 7_750]);
});

test('the first change after a pause is handled soon', () => {
  const pace = new Pace({ firstMs: 250, lastMs: 2_000 });
  const last = timesOfStream(pace, 6).at(-1) ?? 0;
  assert.equal(pace.waitMs(last + 2_000), 250);
});

test('a change soon after another waits for the rest of the interval, but not too briefly', () => {
  const pace = new Pace({ firstMs: 250, lastMs: 2_000 });
  pace.handled(1_000);
  assert.equal(pace.waitMs(1_100), 400);
  pace.handled(1_500);
  assert.equal(pace.waitMs(2_400), 250);
});
