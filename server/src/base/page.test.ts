import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from './failure.ts';
import { offsetOf, toPageRequest } from './page.ts';

test('a list that nobody cut begins with its first 20', () => {
  assert.deepEqual(toPageRequest({}), { page: 0, size: 20 });
});

test('a size above 1,000 is cut to 1,000', () => {
  assert.equal(toPageRequest({ size: 1_000 }).size, 1_000);
  assert.equal(toPageRequest({ size: 1_001 }).size, 1_000);
  assert.equal(toPageRequest({ size: Number.MAX_SAFE_INTEGER }).size, 1_000);
});

for (const query of [{ page: -1 }, { size: 0 }, { size: -1 }, { page: -1, size: 0 }]) {
  test(`${JSON.stringify(query)} is refused`, () => {
    assert.throws(
      () => toPageRequest(query),
      (error) => error instanceof Failure && error.kind === 'invalid',
    );
  });
}

test('a page that no database can count to is refused', () => {
  assert.throws(() => toPageRequest({ page: Number.MAX_SAFE_INTEGER }), /page is too large/);
  assert.throws(() => toPageRequest({ page: Number.MAX_VALUE }), /page is too large/);
});

test('the pages of a list follow each other without a gap', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 5_000 }), (page, size) => {
      const request = toPageRequest({ page, size });
      const next = toPageRequest({ page: page + 1, size });
      assert.equal(offsetOf(next), offsetOf(request) + request.size);
      assert.ok(Number.isSafeInteger(offsetOf(request)));
    }),
  );
});
