// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { Failure } from './failure.ts';
import { offsetOf, toPageRequest } from './page.ts';

test('without a page and a size a caller gets the first 20', () => {
  assert.deepEqual(toPageRequest({}), { page: 0, size: 20 });
});

test('a size above 1,000 is reduced to 1,000', () => {
  assert.equal(toPageRequest({ size: 1_000 }).size, 1_000);
  assert.equal(toPageRequest({ size: 1_001 }).size, 1_000);
  assert.equal(toPageRequest({ size: Number.MAX_SAFE_INTEGER }).size, 1_000);
});

for (const query of [{ page: -1 }, { size: 0 }, { size: -1 }, { page: -1, size: 0 }]) {
  test(`${JSON.stringify(query)} is rejected`, () => {
    assert.throws(
      () => toPageRequest(query),
      (error) => error instanceof Failure && error.kind === 'invalid',
    );
  });
}

test('a page beyond the range of safe integers is rejected', () => {
  assert.throws(() => toPageRequest({ page: Number.MAX_SAFE_INTEGER }), /page is too large/);
  assert.throws(() => toPageRequest({ page: Number.MAX_VALUE }), /page is too large/);
});

test('consecutive pages have no gap and no overlap', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 5_000 }), (page, size) => {
      const request = toPageRequest({ page, size });
      const next = toPageRequest({ page: page + 1, size });
      assert.equal(offsetOf(next), offsetOf(request) + request.size);
      assert.ok(Number.isSafeInteger(offsetOf(request)));
    }),
  );
});
