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
  // Upper and lower case, and forms that are compatible only, are different names.
  assert.equal(findEqualNames(['a', 'A', 'ﬁ', 'fi', COMPOSED]).size, 0);
});

test('a name without another form is recognized for all characters', () => {
  for (let code = 0x80; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const inDrive = String.fromCodePoint(code).normalize('NFC');
    assert.ok(mayHaveOtherForm(inDrive), code.toString(16));
  }
  assert.ok(!mayHaveOtherForm('report (2).pdf'));
});
