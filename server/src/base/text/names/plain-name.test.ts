// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { anyCharacter } from '../../../../test/support/text/any-character.ts';
import { withoutAccents } from './accents.ts';
import { foldName, MAX_NAME_LENGTH, toFileName } from './file-name.ts';
import { toPlainName } from './plain-name.ts';

for (const [name, plain] of [
  ['Report (1).PDF', 'report (1).pdf'],
  ['Crème brûlée', 'creme brulee'],
  ['ÄÖÜ', 'aou'],
  ['Straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['Ærø, Øresund', 'aero, oresund'],
  ['Ǿ', 'o'],
  ['Œuvre', 'oeuvre'],
  ['Łódź', 'lodz'],
  ['Đà Nẵng', 'da nang'],
  ['Ħal', 'hal'],
  ['Þór', 'thor'],
  ['İstanbul', 'istanbul'],
  ['ILGIN ılgın', 'ilgin ilgin'],
  ['Ελλάς', 'ελλασ'],
  ['ёлка', 'елка'],
] as const) {
  test(`"${name}" is "${plain}" without case and accents`, () => {
    assert.equal(toPlainName(name), plain);
    assert.equal(toPlainName(name.normalize('NFD')), plain);
  });
}

for (const name of [
  'हिन्दी',
  'தமிழ்',
  'ไทย',
  'がぎぐ',
  'パピプ',
  '한국어',
  '写真',
  'עברית',
  'العربية',
  '👍🏽',
  '\u{1f1e9}\u{1f1ea}',
]) {
  test(`"${name}" keeps all of its marks`, () => assert.equal(toPlainName(name), foldName(name)));
}

test('a plain name is in NFC, and its own plain name is the same', () => {
  const unit = fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
    fc.constantFrom('e\u0301', 'ẛ', 'ǽ', 'ß', 'İ', '\u0344', '\u1ab0', 'か\u0301\u3099', '\u1100', '\u1161'),
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (name) => {
      const plain = toPlainName(name);
      assert.equal(plain.normalize('NFC'), plain);
      assert.equal(toPlainName(plain), plain);
      assert.equal(withoutAccents(foldName(name)), plain);
    }),
    { numRuns: 2_000 },
  );
});

test('the plain form of the longest names is found quickly, and any longer text is rejected', () => {
  const before = process.cpuUsage();
  for (const letter of ['\u{1d15e}', '\ufb2c', 'ΐ', '\u0315\u0300', 'İ']) {
    const longest = letter.repeat(Math.floor(MAX_NAME_LENGTH / letter.length));
    assert.ok(toPlainName(longest).length <= 2 * foldName(longest).normalize('NFD').length);
  }
  assert.equal(toPlainName(toFileName('ß'.repeat(127))), 'ss'.repeat(127));
  assert.throws(() => toPlainName('é'.repeat(50_000_000)), /longer than names can be/);
  assert.ok(process.cpuUsage(before).user < 500_000);
});
