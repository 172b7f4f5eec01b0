// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf, textKindOf } from './text-kind.ts';

test('the kind of a text depends on its file name', () => {
  for (const [filename, kind] of [
    ['README.md', 'markdown'],
    ['table.CSV', 'table'],
    ['main.ts', 'code'],
    ['Makefile', 'code'],
    ['notes.txt', 'plain'],
    ['LICENSE', 'plain'],
    ['constructor', 'plain'],
  ] as const) {
    assert.equal(textKindOf({ filename }), kind, filename);
  }
  assert.equal(languageOf({ filename: 'a.yml' }), 'yaml');
});
