// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { anyCharacter } from '../../../../test/support/text/any-character.ts';
import { Failure } from '../../failure.ts';
import { foldName, toClosestFileName, toFileName } from './file-name.ts';

const anyText = fc.string({ unit: fc.oneof(fc.string({ unit: anyCharacter, maxLength: 1 }), hostileUnit()) });

for (const name of [
  'a',
  'Urlaub 2026 (1).jpg',
  ' outer blanks ',
  'trailing dot.',
  '...',
  '.hidden',
  '%2e%2e',
  '%00',
  'a:b*c?"<>|',
  '写真.jpg',
  '👨‍👩‍👧.png',
  'x'.repeat(255),
  'é'.repeat(127),
]) {
  test(`"${name.slice(0, 30)}" is a valid name`, () => assert.equal(toFileName(name), name));
}

for (const [what, text] of [
  ['nothing', ''],
  ['blanks', '   '],
  ['Unicode blanks', '\u00a0\u2003\u3000'],
  ['a dot', '.'],
  ['two dots', '..'],
  ['a slash', 'a/b'],
  ['a backslash', 'a\\b'],
  ['NUL', 'a\0'],
  ['a line break', 'a\nb'],
  ['DEL', 'a\u007f'],
  ['a C1 control', 'a\u0085'],
  ['a lone high surrogate', 'a\ud83d'],
  ['a lone low surrogate', '\ude00a'],
  ['256 bytes', 'x'.repeat(256)],
  ['256 bytes in fewer characters', 'é'.repeat(128)],
] as const) {
  test(`${what} is not a valid name`, () => assert.throws(() => toFileName(text), isInvalid));
}

test('a name is converted to NFC before its length is checked', () => {
  assert.equal(toFileName('e\u0301'), '\u00e9');
  assert.equal(toFileName('e\u0301'.repeat(127)), '\u00e9'.repeat(127));
  // U+1D15E grows from 4 bytes to 8.
  assert.throws(() => toFileName('\u{1d15e}'.repeat(40)), isInvalid);
});

test('the longest name may be sent in decomposed form, and any longer text is rejected at once', () => {
  const longest = '\u01d5'.repeat(127);
  assert.equal(toFileName(longest.normalize('NFD')), longest);
  for (const text of ['x'.repeat(50_000_000), `a${'\u0315\u0300'.repeat(100_000)}`]) {
    // CPU time, because other processes may use the cores. Normalising the second text takes 20 s.
    const before = process.cpuUsage();
    assert.throws(() => toFileName(text), isInvalid);
    assert.throws(() => foldName(text), isInvalid);
    assert.ok(process.cpuUsage(before).user < 500_000);
  }
});

test('any text is rejected or becomes a valid name, which does not change again', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const name = nameOrFailure(text);
      if (name === undefined) return;
      assert.equal(toFileName(name), name);
      assert.equal(name, text.normalize('NFC'));
      assert.ok(name !== '.' && name !== '..' && name.trim() !== '');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
      assert.doesNotMatch(name, /[/\\\u0000-\u001f\u007f-\u009f]/);
      assert.equal(Buffer.from(name).toString(), name);
      assert.ok(Buffer.byteLength(name) <= 255);
    }),
    { numRuns: 2_000 },
  );
});

for (const [one, other] of [
  ['README', 'readme'],
  ['ÄRGER', 'ärger'],
  ['A\u0308rger', 'ärger'],
  ['ΟΔΟΣ', 'οδος'],
  ['ΟΔΟΣ', 'οδοσ'],
  // The capital has no composed form, the small letter has one.
  ['J\u030c', '\u01f0'],
  ['ПРИВЕТ', 'привет'],
] as const) {
  test(`"${one}" and "${other}" fold to the same text`, () => {
    assert.equal(foldName(one), foldName(other));
  });
}

test('a part of a name folds as it does inside the name', () => {
  assert.ok(foldName('ΟΔΟΣΗΜΑ').includes(foldName('ΟΔΟΣ')));
});

test('a folded name is in NFC, and folding it again changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const folded = foldName(text);
      assert.equal(foldName(folded), folded);
      assert.equal(folded.normalize('NFC'), folded);
    }),
    { numRuns: 2_000 },
  );
});

test('the closest name to any text is a valid name, and a valid name is closest to itself', () => {
  assert.equal(toClosestFileName('a/b\\c: d'), 'a_b_c: d');
  for (const text of ['', '..', ' ', '\u00a0']) assert.equal(toClosestFileName(text), '_');
  assert.equal(toClosestFileName('ä'.repeat(200)), 'ä'.repeat(127));
  fc.assert(
    fc.property(anyText, (text) => {
      const closest = toClosestFileName(text);
      assert.equal(toFileName(closest), closest);
      const name = nameOrFailure(text);
      if (name !== undefined) assert.equal(closest, name);
    }),
    { numRuns: 2_000 },
  );
});

function nameOrFailure(text: string): string | undefined {
  try {
    return toFileName(text);
  } catch (error) {
    assert(isInvalid(error), String(error));
    return undefined;
  }
}

function isInvalid(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'invalid';
}

function hostileUnit() {
  return fc.constantFrom('.', '/', '\\', '\0', ' ', 'e\u0301', '\ud800', '\udc00', 'Σ', 'İ', 'J\u030c', '😀');
}
