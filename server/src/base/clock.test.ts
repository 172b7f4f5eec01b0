import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND, systemClock, toTimestamp } from './clock.ts';

test('an instant is sent in UTC with milliseconds and Z', () => {
  assert.equal(toTimestamp(0), '1970-01-01T00:00:00.000Z');
  assert.equal(toTimestamp(Date.UTC(2026, 1, 28, 23, 59, 59, 7)), '2026-02-28T23:59:59.007Z');
});

test('the clock of the system counts milliseconds', () => {
  const before = Date.now();
  const now = systemClock.now();
  assert.ok(before <= now && now <= Date.now());
});

test('the units are milliseconds', () => {
  assert.deepEqual([SECOND, MINUTE, HOUR, DAY], [1_000, 60_000, 3_600_000, 86_400_000]);
});
