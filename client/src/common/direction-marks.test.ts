// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isolate, showMarks } from './direction-marks.ts';

test('every direction mark of a name is shown', () => {
  for (const mark of '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') {
    for (const show of [showMarks, isolate]) assert.match(show(`a${mark}b`), /^a⟨[A-Z]{3}⟩b$/);
  }
});

test('only names with right-to-left letters are isolated', () => {
  assert.equal(isolate('été 2026 照片.txt'), 'été 2026 照片.txt');
  assert.equal(isolate('דוח.txt'), '\u2068דוח.txt\u2069');
  assert.equal(
    showMarks(`“${isolate('דוח\u202e.txt')}” was moved.`),
    '“\u2068דוח⟨RLO⟩.txt\u2069” was moved.',
  );
});
