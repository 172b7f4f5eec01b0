// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileTypeOf } from './file-type.ts';

function typeOf(filename: string, contentType: string | null = null): string {
  const { purpose, format } = fileTypeOf({ filename, contentType });
  return `${format} ${purpose}`.trim();
}

test('common types have their everyday names', () => {
  assert.equal(typeOf('a.jpg', 'image/jpeg'), 'JPEG picture');
  assert.equal(typeOf('a.pdf', 'application/pdf'), 'PDF document');
  assert.equal(typeOf('a.zip', 'application/zip'), 'Zip archive');
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  assert.equal(typeOf('a.docx', word), 'Word document');
  assert.equal(typeOf('a.txt', 'text/plain; charset=utf-8'), 'text');
  assert.equal(typeOf('README', 'text/plain'), 'text');
  assert.equal(typeOf('a.csv', 'text/csv'), 'CSV spreadsheet');
});

test('a picture, video or recording of any other format is named after its media type', () => {
  assert.equal(typeOf('a.png', 'image/png'), 'PNG picture');
  assert.equal(typeOf('a.svg', 'image/svg+xml'), 'SVG picture');
  assert.equal(typeOf('a.CR2', 'image/x-canon-cr2'), 'CR2 picture');
  assert.equal(typeOf('a', 'video/mp4'), 'MP4 video');
  assert.equal(typeOf('a.zip', 'audio/flac'), 'FLAC audio');
});

test('the extension decides if the media type is not specific', () => {
  assert.equal(typeOf('a.docx', 'application/octet-stream'), 'Word document');
  assert.equal(typeOf('a.tar.gz'), 'Gzip archive');
  assert.equal(typeOf('main.ts', 'video/mp2t'), 'TS file');
  assert.equal(typeOf('main.rs', 'text/plain'), 'RS file');
  assert.equal(typeOf('a.bin', 'application/octet-stream'), 'BIN file');
  assert.equal(typeOf('a.7z'), '7-Zip archive');
});

test('a file of unknown type is called a file', () => {
  assert.equal(typeOf('a'), 'plain');
  assert.equal(typeOf('.env', 'application/octet-stream'), 'plain');
});
