// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClock } from '../../test/support/app/test-clock.ts';
import { HOUR, MINUTE } from '../base/clock.ts';
import { FailedPictures } from './failed-pictures.ts';
import {
  MAX_DOCUMENT_BYTES,
  MAX_PICTURE_BYTES,
  setFurtherThumbnails,
  thumbnailVersionOf,
} from './thumbnail-version.ts';

const photo = { name: 'a.jpg', contentType: 'image/jpeg', size: 9, blobId: 7 };

test('the version changes with the content, but not with the name', () => {
  const version = thumbnailVersionOf(photo);
  assert.ok(version);
  assert.equal(thumbnailVersionOf({ ...photo, name: 'b.jpg' }), version);
  assert.notEqual(thumbnailVersionOf({ ...photo, blobId: 8 }), version);
});

test('directories, empty files, huge files and files of other types have no version', () => {
  for (const other of [
    { blobId: null },
    { size: 0 },
    { size: MAX_PICTURE_BYTES + 1 },
    { contentType: 'image/svg+xml', name: 'a.svg' },
    { contentType: 'application/pdf' },
    { contentType: 'text/plain' },
    { contentType: 'image/x-canon-cr3' },
    { contentType: 'application/msword', name: 'a.doc' },
    { contentType: 'application/zip', name: 'a.zip' },
    { contentType: 'application/epub+zip', size: MAX_DOCUMENT_BYTES + 1 },
    { contentType: null, name: 'a' },
    { contentType: 'application/octet-stream', name: 'a.exe' },
  ]) {
    assert.equal(thumbnailVersionOf({ ...photo, ...other }), null, JSON.stringify(other));
  }
  assert.ok(thumbnailVersionOf({ ...photo, size: MAX_PICTURE_BYTES }));
});

test('PDFs and videos have a version where they can be drawn', () => {
  const pdf = { ...photo, name: 'a.pdf', contentType: 'application/pdf' };
  const video = { ...photo, name: 'a.mp4', contentType: 'video/mp4' };
  const seen = () => [pdf, video].map((file) => thumbnailVersionOf(file) !== null);
  assert.deepEqual(seen(), [false, false]);
  setFurtherThumbnails('pdf');
  assert.deepEqual(seen(), [true, false]);
  setFurtherThumbnails('video');
  assert.deepEqual(seen(), [false, true]);
  setFurtherThumbnails();
});

test('documents, books and raw photos have a version, also if a client took them for archives', () => {
  for (const name of ['a.docx', 'a.xlsm', 'a.pptx', 'a.odt', 'a.ods', 'a.odp', 'a.epub', 'a.nef', 'a.raf'])
    for (const contentType of [null, 'application/zip', 'application/octet-stream'])
      assert.ok(thumbnailVersionOf({ ...photo, name, contentType }), `${name} ${contentType}`);
  const contentType = 'application/vnd.ms-word.document.macroEnabled.12';
  assert.ok(thumbnailVersionOf({ ...photo, name: 'a', contentType }));
});

test('the name decides if the type says nothing', () => {
  for (const contentType of [null, 'application/octet-stream', 'image/jpeg; q=1']) {
    assert.ok(thumbnailVersionOf({ ...photo, contentType }), String(contentType));
  }
});

test('a limited number of failed pictures is remembered, each for an hour', () => {
  const clock = new TestClock();
  const failed = new FailedPictures(clock, 3);
  for (const key of ['a', 'b', 'c']) failed.add(key, false);
  failed.add('a', false);
  failed.add('d', false);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => failed.find(key) !== undefined),
    [true, false, true, true],
  );
  clock.advance(HOUR);
  assert.deepEqual([failed.find('a'), failed.find('d'), failed.size], [undefined, undefined, 1]);
});

test('a picture that took too long gets a second chance after two minutes, then another every hour', () => {
  const clock = new TestClock();
  clock.stop();
  const failed = new FailedPictures(clock);
  for (const minutes of [2, 60, 60]) {
    failed.add('slow', true);
    clock.advance(minutes * MINUTE - 1);
    assert.equal(failed.find('slow')?.isTimeout, true);
    clock.advance(1);
    assert.equal(failed.find('slow'), undefined);
  }
  failed.delete('slow');
  failed.add('slow', true);
  clock.advance(2 * MINUTE);
  assert.equal(failed.find('slow'), undefined, 'it was decoded in between');
});
