import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toAmount, toBytes } from './byte-amount.ts';

test('sizes are shown in the unit in which they were entered', () => {
  assert.deepEqual(toAmount(50 * 1_024 ** 3), { value: 50, unit: 'GiB' });
  assert.deepEqual(toAmount(50 * 1_000 ** 3), { value: 50, unit: 'GB' });
  assert.deepEqual(toAmount(1.5 * 1_024 ** 4), { value: 1.5, unit: 'TiB' });
  assert.deepEqual(toAmount(2_500_000), { value: 2.5, unit: 'MB' });
  assert.deepEqual(toAmount(0), { value: 0, unit: 'B' });
});

test('a size that no unit expresses exactly is shown in bytes', () => {
  assert.deepEqual(toAmount(53_687_091_201), { value: 53_687_091_201, unit: 'B' });
  assert.deepEqual(toAmount(999), { value: 999, unit: 'B' });
});

test('a size is read back to the byte', () => {
  for (const bytes of [1, 999, 1_000_000, 1_048_576, 123_456_789, 5 * 1_024 ** 4, Number.MAX_SAFE_INTEGER]) {
    assert.equal(toBytes(toAmount(bytes)), bytes);
  }
  assert.equal(toBytes({ value: 0.1, unit: 'GB' }), 100_000_000);
});
