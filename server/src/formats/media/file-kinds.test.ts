// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FileKind, kindOfType, TYPES_OF_KIND } from '../../base/domain/file-kinds.ts';
import { mediaTypeOf } from './media-types.ts';

const EXPECTED: Readonly<Record<FileKind, readonly string[]>> = {
  IMAGE: ['a.jpg', 'a.png', 'a.heic', 'a.svg', 'a.cr2', 'a.webp'],
  VIDEO: ['a.mp4', 'a.mov', 'a.mkv', 'a.webm'],
  AUDIO: ['a.mp3', 'a.flac', 'a.m4a', 'a.opus'],
  DOCUMENT: [
    ...['a.pdf', 'a.txt', 'a.md', 'a.csv', 'a.html', 'a.json', 'a.xml', 'a.rtf', 'a.epub', 'a.mobi', 'a.py'],
    ...['a.doc', 'a.docx', 'a.xls', 'a.xlsx', 'a.xlsm', 'a.ppt', 'a.pptx', 'a.odt', 'a.ods', 'a.odp'],
    ...['a.key', 'a.pages', 'a.numbers', 'a.cbz', 'a.vsd', 'a.yaml', 'a.tex', 'a.ps'],
  ],
  ARCHIVE: ['a.zip', 'a.tar', 'a.gz', 'a.tgz', 'a.7z', 'a.rar', 'a.bz2', 'a.xz', 'a.zst', 'a.jar', 'a.cab'],
  OTHER: ['a.exe', 'a.sqlite', 'a.iso', 'a', 'a.unknown'],
};

for (const [kind, names] of Object.entries(EXPECTED)) {
  test(`${names.join(', ')} are files of kind ${kind}`, () => {
    for (const name of names) assert.equal(kindOfType(mediaTypeOf(name)), kind, name);
  });
}

test('parameters of a media type do not change the kind', () => {
  assert.equal(kindOfType('application/json; charset=utf-8'), 'DOCUMENT');
  assert.equal(kindOfType('application/zip; charset=x'), 'ARCHIVE');
  assert.equal(kindOfType('application/zipper'), 'OTHER');
});

test('no type is in the lists of two kinds', () => {
  const lists = Object.values(TYPES_OF_KIND);
  const listed = lists.flatMap(({ beginnings, types }) => [...beginnings, ...types]);
  for (const one of listed) {
    const same = lists.filter(
      ({ beginnings, types }) =>
        types.includes(one) || beginnings.some((beginning) => one.startsWith(beginning)),
    );
    assert.equal(same.length, 1, one);
  }
});
