// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteInAscii, toJsonLine } from './escape.ts';

const COMPOSED = '\u00e9.txt';
const DECOMPOSED = 'e\u0301.txt';

test('names that look the same are told apart in ASCII', () => {
  assert.equal(quoteInAscii(COMPOSED), String.raw`"\u00e9.txt"`);
  assert.equal(quoteInAscii(DECOMPOSED), String.raw`"e\u0301.txt"`);
});

test('JSON contains no characters that control the terminal or reorder a line', () => {
  const record = { path: '/invoice\u202efdp.exe\u009b31m' };
  const line = toJsonLine(record);
  assert.equal(line, String.raw`{"path":"/invoice\u202efdp.exe\u009b31m"}`);
  assert.deepEqual(JSON.parse(line), record);
});
