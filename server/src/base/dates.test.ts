// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { toHttpDate, toTimestamp } from './dates.ts';

test('dates are written as JavaScript itself writes them', () => {
  const check = (instant: number) => {
    assert.equal(toHttpDate(instant), new Date(instant).toUTCString());
    assert.equal(toTimestamp(instant), new Date(instant).toISOString());
  };
  for (const instant of [0, -1, 1_000, 86_399_999, 86_400_000, 253_402_300_800_000, -62_198_755_200_000])
    check(instant);
  const instants = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
  // The texts of these days are stored in the same slot.
  for (const days of [1, 65, 1, 129, 65, -63]) check(days * 86_400_000 + 1);
  fc.assert(fc.property(fc.array(fc.oneof(instants, fc.integer())), (all) => all.forEach(check)));
});

test('a value that is not an instant is rejected', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 8_640_000_000_000_001 + 86_400_000]) {
    assert.throws(() => toTimestamp(value), RangeError);
  }
});
