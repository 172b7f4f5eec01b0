// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMatches } from './matches.ts';

function found(text: string, words: string): readonly string[] {
  return findMatches(text, words).map(({ at, length }) => `${at}+${length}`);
}

test('every occurrence of each word is found, regardless of case and accents', () => {
  assert.deepEqual(found('Rome and chrome', 'rOme'), ['0+4', '11+4']);
  assert.deepEqual(found('ÄPFEL.txt', 'äpfel'), ['0+5']);
  assert.deepEqual(found('Résumé 2026.pdf', '2026 resume'), ['7+4', '0+6']);
  assert.deepEqual(found('aaaa', 'aa'), ['0+2', '2+2']);
});

test('a missing text is not found, and an empty text matches nothing', () => {
  assert.deepEqual(found('Rome', 'Paris'), []);
  assert.deepEqual(found('Rome', ' '), []);
});

test('nothing is marked if folding turns a letter into two, because marks would be misplaced', () => {
  assert.deepEqual(found('İstanbul', 'stan'), []);
});
