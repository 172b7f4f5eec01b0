// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupCode, isWholeCode, readTypedCode, spellCode } from './pickup-code.ts';

for (const [typed, code, strange, rest] of [
  ['abc234', 'ABC234', '', ''],
  [' abc – 234 ', 'ABC234', '', ''],
  ['a-b-c-2-3-4-5', 'ABC234', '', '5'],
  ['abc234-k7p3-qx9m', 'ABC234', '', 'K7P3-QX9M'],
  ['abc234 – k7', 'ABC234', '', 'K7'],
  ['ABC234#K7P3QX9M', 'ABC234', '', 'K7P3QX9M'],
  ['ABC234 # k7', 'ABC234', '', 'K7'],
  ['https://drive.example.org/transfer/ABC234?x=1#y', 'ABC234', '', 'y'],
  ['https://drive.example.org/transfer/ABC234#K7P3', 'ABC234', '', 'K7P3'],
  ['drive.example.org/t/abc234', 'ABC234', '', ''],
  ['\u200babc\u00ad2\u202a34\ufeff', 'ABC234', '', ''],
  ['abc\u2212234', 'ABC234', '', ''],
  ['abc_234', 'ABC234', '', ''],
  ['\u201eABC234\u201c.', 'ABC234', '', ''],
  ['*ABC234*', 'ABC234', '', ''],
  ['(ABC234)', 'ABC234', '', ''],
  ['「ABC２３４」', 'ABC234', '', ''],
  ['ａｂｃ－２３４＃ｋ７ｐ３', 'ABC234', '', 'K7P3'],
  ['<https://drive.example.org/transfer/ABC234#K7P3-QX9M>.', 'ABC234', '', 'K7P3-QX9M'],
  ['\u200bhttps://drive.example.org/t/\u200eabc234\u200f', 'ABC234', '', ''],
  ['ABO1o', 'AB', 'O1', ''],
  ['', '', '', ''],
  ['😀k', 'K', '😀', ''],
] as const) {
  test(`"${typed}" is read as the code "${code}"`, () => {
    assert.deepEqual(readTypedCode(typed), { code, strange: Array.from(strange), rest });
  });
}

test('a code is complete with six valid characters and no invalid ones', () => {
  assert.ok(isWholeCode(readTypedCode('abc 234')));
  assert.ok(!isWholeCode(readTypedCode('abc 23')));
  assert.ok(!isWholeCode(readTypedCode('abc 1234')));
});

test('a code is shown in two groups and spelled letter by letter', () => {
  assert.equal(groupCode('ABC234'), 'ABC 234');
  assert.equal(groupCode('AB'), 'AB');
  assert.equal(spellCode('ABC234'), 'A B C, 2 3 4');
});
