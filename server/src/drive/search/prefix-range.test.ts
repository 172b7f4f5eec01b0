// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { findPrefixEnd } from './prefix-range.ts';

for (const [beginning, end] of [
  ['a', 'b'],
  ['abc', 'abd'],
  ['ä', 'å'],
  ['%', '&'],
  ['a\ud7ff', 'a\ue000'],
  ['a\u{10ffff}', 'b'],
  ['\u{10ffff}\u{10ffff}', undefined],
  ['👍', '👎'],
] as const) {
  test(`names that begin with "${beginning}" end before "${end}"`, () =>
    assert.equal(findPrefixEnd(beginning), end));
}

test('a text begins with a prefix if and only if it is in the range', () => {
  const unit = fc.constantFrom('a', 'b', 'z', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}');
  const text = fc.string({ unit, minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(text, text, (beginning, name) => {
      const end = findPrefixEnd(beginning);
      const isInRange = !isBefore(name, beginning) && (end === undefined || isBefore(name, end));
      assert.equal(isInRange, name.startsWith(beginning));
    }),
  );
});

/** Compares as the databases do: by the bytes of UTF-8. */
function isBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}
