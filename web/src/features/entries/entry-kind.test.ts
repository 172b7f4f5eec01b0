// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canExtract, isZip, kindOf, stemLength } from './entry-kind.ts';

const file = (filename: string, contentType: string | null = null) => ({
  filename,
  contentType,
  directory: false,
});

test('the kind is determined by the type, or by the name if the type is not specific', () => {
  assert.equal(kindOf({ filename: 'a.zip', contentType: null, directory: true }), 'folder');
  assert.equal(kindOf(file('a', 'image/png')), 'image');
  assert.equal(kindOf(file('a.PDF')), 'pdf');
  assert.equal(kindOf(file('a.tar.gz')), 'archive');
  assert.equal(kindOf(file('notes', 'text/plain')), 'text');
  assert.equal(kindOf(file('.zip')), 'other');
  assert.equal(kindOf(file('main.ts', 'video/mp2t')), 'code');
});

test('ZIP archives with other extensions can be extracted, but other kinds of archives cannot', () => {
  for (const name of ['a.zip', 'A.JAR', 'b.apk', 'c.epub', 'd.cbz', 'e.docx'])
    assert(canExtract(file(name)), name);
  for (const type of ['application/zip', 'application/x-zip-compressed', 'application/epub+zip; a=b']) {
    assert(canExtract(file('a', type)), type);
  }
  for (const name of ['a.7z', 'a.tar.gz', 'a.rar', 'a.txt', '.zip']) assert(!canExtract(file(name)), name);
  assert(!canExtract({ filename: 'a.zip', contentType: null, directory: true }));
});

test('the viewer lists ZIP archives only', () => {
  assert(isZip(file('a.zip')) && isZip(file('a', 'application/zip')));
  assert(!isZip(file('a.7z')) && !isZip({ filename: 'a.zip', contentType: null, directory: true }));
});

test('the stem of a name is the name without its extension', () => {
  assert.equal(stemLength(file('photo.jpg')), 5);
  assert.equal(stemLength(file('.profile')), 8);
  assert.equal(stemLength({ filename: 'v1.2', contentType: null, directory: true }), 4);
});
