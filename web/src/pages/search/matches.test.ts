import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMatches } from './matches.ts';

test('a text is found in any case, as often as it is there', () => {
  assert.deepEqual(findMatches('Rome and chrome', 'rOme'), [0, 11]);
  assert.deepEqual(findMatches('ÄPFEL.txt', 'äpfel'), [0]);
  assert.deepEqual(findMatches('aaaa', 'aa'), [0, 2]);
});

test('what is not there is not found, and nothing is nowhere', () => {
  assert.deepEqual(findMatches('Rome', 'Paris'), []);
  assert.deepEqual(findMatches('Rome', ''), []);
});

test('a letter that becomes two marks nothing rather than the wrong letters', () => {
  assert.deepEqual(findMatches('İstanbul', 'stan'), []);
});
