// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEqualNames, mayHaveOtherForm } from './equal-names.ts';

const COMPOSED = '\u00e9.txt';
const DECOMPOSED = 'e\u0301.txt';

test('names that differ only in their normal form are equal', () => {
  assert.deepEqual(
    [...findEqualNames(['a', COMPOSED, 'b', DECOMPOSED])],
    [[COMPOSED, [COMPOSED, DECOMPOSED]]],
  );
  // Names that differ in case, or have only the same compatibility form, are different names.
  assert.equal(findEqualNames(['a', 'A', 'ﬁ', 'fi', COMPOSED]).size, 0);
});

test('for every character, it is recognized whether a name has another normal form', () => {
  for (let code = 0x80; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const inDrive = String.fromCodePoint(code).normalize('NFC');
    assert.ok(mayHaveOtherForm(inDrive), code.toString(16));
  }
  assert.ok(!mayHaveOtherForm('report (2).pdf'));
});
