// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { anyCharacter } from './any-character.ts';

test('the texts have characters of all planes, no lone surrogates, and the words that fast-check knows to be dangerous', () => {
  const texts = fc.sample(fc.string({ unit: anyCharacter, maxLength: 30 }), { seed: 1, numRuns: 200 });
  assert.ok(texts.some((text) => /[\u{10000}-\u{10ffff}]/u.test(text)));
  assert.ok(texts.some((text) => text.includes('__proto__') || text.includes('constructor')));
  assert.ok(texts.every((text) => text.isWellFormed()));
});

test('a character is recognized as one, so that texts can shrink', () => {
  for (const one of ['\u0000', 'a', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}']) {
    assert.ok(anyCharacter.canShrinkWithoutContext(one), JSON.stringify(one));
  }
  for (const other of ['', 'ab', '\ud800', '\udfff', 'a\u0301', 1]) {
    assert.ok(!anyCharacter.canShrinkWithoutContext(other), JSON.stringify(other));
  }
});
