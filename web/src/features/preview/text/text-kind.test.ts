// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProse, languageOf, textKindOf } from './text-kind.ts';

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

test('only text made of sentences is prose', () => {
  const names = ['README.md', 'notes.txt', 'LICENSE', 'main.ts', 'table.csv', 'error.log', 'Makefile'];
  assert.deepEqual(
    names.filter((filename) => isProse({ filename })),
    ['README.md', 'notes.txt', 'LICENSE'],
  );
});
