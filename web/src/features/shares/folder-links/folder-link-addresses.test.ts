// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toLinkedDownload, toLinkedThumbnail } from './folder-link-addresses.ts';

test('a download URL contains each of its paths', () => {
  assert.equal(
    toLinkedDownload('T', ['/a b', '/c&d']),
    '/api/v2/folder-links/T/download?path=%2Fa+b&path=%2Fc%26d',
  );
});

test('there is no download URL if there are too many paths', () => {
  assert.equal(toLinkedDownload('T', Array(1_000).fill('/a long name of a picture.jpg')), undefined);
});

test('a thumbnail URL contains its path, size and version', () => {
  assert.equal(
    toLinkedThumbnail('T', '/a.jpg', 'v1', 256),
    '/api/v2/folder-links/T/thumbnail?path=%2Fa.jpg&size=256&v=v1',
  );
});
