// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isZip, kindOf, stemLength } from './entry-kind.ts';

const file = (filename: string, contentType: string | null = null) => ({
  filename,
  contentType,
  directory: false,
});

test('the kind follows from the type, or from the name if the type says little', () => {
  assert.equal(kindOf({ filename: 'a.zip', contentType: null, directory: true }), 'folder');
  assert.equal(kindOf(file('a', 'image/png')), 'image');
  assert.equal(kindOf(file('a.PDF')), 'pdf');
  assert.equal(kindOf(file('a.tar.gz')), 'archive');
  assert.equal(kindOf(file('notes', 'text/plain')), 'text');
  assert.equal(kindOf(file('.zip')), 'other');
  assert.equal(kindOf(file('main.ts', 'video/mp2t')), 'code');
});

test('only ZIP archives can be extracted', () => {
  assert(isZip(file('a.zip')) && isZip(file('a', 'application/zip')));
  assert(!isZip(file('a.7z')) && !isZip({ filename: 'a.zip', contentType: null, directory: true }));
});

test('the stem of a name is the name without its extension', () => {
  assert.equal(stemLength(file('photo.jpg')), 5);
  assert.equal(stemLength(file('.profile')), 8);
  assert.equal(stemLength({ filename: 'v1.2', contentType: null, directory: true }), 4);
});
