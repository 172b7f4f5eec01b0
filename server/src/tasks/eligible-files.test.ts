// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isArchiveFile, isMediaFile } from './eligible-files.ts';

test('an archive is recognized by its name or its type', () => {
  for (const name of ['a.zip', 'A.ZIP', 'a.jar', 'a.war', 'a.apk', 'a.docx', 'a.b.epub']) {
    assert.ok(isArchiveFile({ name, contentType: null }), name);
  }
  for (const contentType of ['application/zip', 'application/x-zip-compressed', 'application/epub+zip']) {
    assert.ok(isArchiveFile({ name: 'without', contentType }), contentType);
  }
  for (const name of ['zip', 'a.zip.txt', 'a.rar', 'a.7z', 'a.tar.gz', 'a.zipx']) {
    assert.ok(!isArchiveFile({ name, contentType: 'application/octet-stream' }), name);
  }
});

test('a media file is recognized by its name or its type', () => {
  for (const name of ['a.jpg', 'a.HEIC', 'a.mp4', 'a.mp3', 'a.svg']) {
    assert.ok(isMediaFile({ name, contentType: 'application/octet-stream' }), name);
  }
  for (const contentType of ['image/x-unheard-of', 'video/mp4', 'audio/ogg; charset=x']) {
    assert.ok(isMediaFile({ name: 'without', contentType }), contentType);
  }
  for (const name of ['jpg', 'a.txt', 'a.zip', 'image']) {
    assert.ok(!isMediaFile({ name, contentType: 'text/plain' }), name);
  }
});
