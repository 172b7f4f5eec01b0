// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes } from '../../../../messages/formats.ts';
import { BYTE_UNITS, toAmount, toBytes } from './byte-amount.ts';

test('sizes are shown in the same units as in the rest of the client', () => {
  assert.deepEqual(toAmount(50 * 1_000 ** 3), { value: 50, unit: 'GB' });
  assert.deepEqual(toAmount(50 * 1_024 ** 3), { value: 53.687, unit: 'GB' });
  assert.deepEqual(toAmount(1.5 * 1_000 ** 4), { value: 1.5, unit: 'TB' });
  assert.deepEqual(toAmount(2_500_000), { value: 2.5, unit: 'MB' });
  assert.deepEqual(toAmount(5_000), { value: 5, unit: 'kB' });
  for (const bytes of [5_000, 2_500_000, 50 * 1_024 ** 3, 3 * 1_000 ** 4]) {
    assert.equal(formatBytes(bytes).split(/\s/).at(-1), toAmount(bytes).unit);
  }
});

test('a size below a thousand bytes is shown in bytes', () => {
  assert.deepEqual(toAmount(999), { value: 999, unit: 'B' });
  assert.deepEqual(toAmount(0), { value: 0, unit: 'B' });
});

test('an unchanged size keeps its exact number of bytes', () => {
  for (const bytes of [1, 999, 1_048_576, 123_456_789, 53_687_091_201, 1_024 ** 5, Number.MAX_SAFE_INTEGER]) {
    assert.equal(toBytes(toAmount(bytes), bytes), bytes);
  }
});

test('an entered size is converted to the exact number of bytes', () => {
  assert.equal(toBytes({ value: 0.1, unit: 'GB' }, 50 * 1_024 ** 3), 100_000_000);
  assert.equal(toBytes({ value: 53.688, unit: 'GB' }, 50 * 1_024 ** 3), 53_688_000_000);
  for (const unit of BYTE_UNITS) assert.equal(toBytes({ value: 2, unit }, 1) % 2, 0);
});
