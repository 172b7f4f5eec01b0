// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delayAfter } from './back-off.ts';

test('each delay is longer than the last, up to half a minute', () => {
  const delays = [1, 2, 3, 4, 5, 6, 50].map((failures) => delayAfter(failures, undefined, 1));
  assert.deepEqual(delays, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  assert.equal(delayAfter(1, undefined, 0), 750);
});

test('the delay that the service requests is used', () => {
  assert.equal(delayAfter(1, 20, 0.5), 20_000);
});
