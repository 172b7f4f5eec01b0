// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsRendition, toPreviewKind } from './preview-kind.ts';

function wayOf(filename: string, contentType: string | null, size = 1_000) {
  return toPreviewKind({ filename, contentType, size, directory: false });
}

test('a file is shown by its kind', () => {
  assert.equal(wayOf('a.jpg', 'image/jpeg'), 'picture');
  assert.equal(wayOf('a.svg', 'image/svg+xml'), 'picture');
  assert.equal(wayOf('a.mp4', 'video/mp4'), 'video');
  assert.equal(wayOf('a.flac', 'audio/flac'), 'audio');
  assert.equal(wayOf('a.pdf', 'application/pdf'), 'pdf');
  assert.equal(wayOf('a.zip', 'application/zip'), 'zip');
  assert.equal(wayOf('a.bin', 'application/octet-stream', 300_000), 'none');
  assert.equal(wayOf('a.exe', 'application/x-msdos-program'), 'none');
});

test('an office document is shown if a library can read its format', () => {
  assert.equal(wayOf('a.docx', null), 'docx');
  assert.equal(wayOf('a.XLSX', 'application/octet-stream'), 'xlsx');
  assert.equal(wayOf('a', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'), 'xlsx');
  for (const ending of ['odt', 'ods', 'odp', 'pptx', 'epub'])
    assert.equal(wayOf(`a.${ending}`, null), ending);
  assert.equal(wayOf('a', 'application/epub+zip'), 'epub');
  assert.equal(wayOf('a.constructor', 'constructor'), 'none');
  for (const name of ['a.doc', 'a.xls', 'a.ppt']) assert.equal(wayOf(name, null), 'none', name);
});

test('text is recognised under many types', () => {
  for (const type of [
    'text/plain',
    'text/html',
    'application/json',
    'application/ld+json',
    'application/xml',
  ]) {
    assert.equal(wayOf('a', type), 'text', type);
  }
  for (const name of ['a.toml', 'Makefile', '.gitignore', 'README', 'a.reg', 'a.lrc', 'nginx.service']) {
    assert.equal(wayOf(name, 'application/octet-stream', 300_000), 'text', name);
  }
});

test('playlists and Go modules are text, although their media type says audio', () => {
  for (const [name, type] of [
    ['a.m3u', 'audio/x-mpegurl'],
    ['a.M3U8', 'application/vnd.apple.mpegurl'],
    ['go.mod', 'audio/x-mod'],
  ] as const)
    assert.equal(wayOf(name, type), 'text', name);
  assert.equal(wayOf('song.mod', 'audio/x-mod'), 'audio');
});

test('a small file of unknown kind is opened as text', () => {
  assert.equal(wayOf('notes', null), 'text');
  assert.equal(wayOf('a.bin', 'application/octet-stream'), 'text');
  for (const name of ['a.rar', 'a.doc', 'a.ppt']) assert.equal(wayOf(name, null), 'none', name);
});

test('TypeScript code is not mistaken for a video with the same extension', () => {
  assert.equal(wayOf('index.ts', 'video/mp2t'), 'text');
  assert.equal(wayOf('news.ts', 'video/mp2t', 80_000_000), 'video');
});

test('pictures that no browser supports are not tried', () => {
  for (const type of ['image/tiff', 'image/x-canon-cr2', 'image/vnd.adobe.photoshop']) {
    assert.equal(wayOf('a', type), 'none', type);
  }
  assert.equal(wayOf('favicon.ico', 'image/vnd.microsoft.icon'), 'picture');
});

test('a picture that browsers cannot show is shown if the service has converted it', () => {
  const tiff = { filename: 'a.tif', contentType: 'image/tiff', size: 9, directory: false };
  assert.equal(toPreviewKind({ ...tiff, thumbnailVersion: '1-a' }), 'picture');
  assert.equal(toPreviewKind({ ...tiff, thumbnailVersion: null }), 'none');
  const isRendered = (contentType: string, thumbnailVersion: string | null = '1-a') =>
    needsRendition({ contentType, thumbnailVersion });
  for (const type of ['tiff', 'heic', 'heif', 'heic-sequence', 'x-nikon-nef'])
    assert.ok(isRendered(`image/${type}`), type);
  for (const type of ['jpeg', 'avif', 'png', 'x-png']) assert.ok(!isRendered(`image/${type}`), type);
  assert.ok(!isRendered('image/heic', null));
});

test('a folder is not shown', () => {
  assert.equal(toPreviewKind({ filename: 'a.jpg', contentType: null, size: 0, directory: true }), 'none');
});
