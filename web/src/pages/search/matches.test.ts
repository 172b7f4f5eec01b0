import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMatches } from './matches.ts';

test('a text is found regardless of case, every occurrence', () => {
  assert.deepEqual(findMatches('Rome and chrome', 'rOme'), [0, 11]);
  assert.deepEqual(findMatches('ÄPFEL.txt', 'äpfel'), [0]);
  assert.deepEqual(findMatches('aaaa', 'aa'), [0, 2]);
});

test('a missing text is not found, and an empty text matches nothing', () => {
  assert.deepEqual(findMatches('Rome', 'Paris'), []);
  assert.deepEqual(findMatches('Rome', ''), []);
});

test('a letter that becomes two when folded marks nothing instead of the wrong letters', () => {
  assert.deepEqual(findMatches('İstanbul', 'stan'), []);
});
