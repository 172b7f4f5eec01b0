// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOT_PAGES } from '../../server/src/site/not-pages.ts';
import { isKeptFile, isPage } from './addresses.ts';

test('only pages of the client are served without a connection', () => {
  for (const path of ['/', '/drive/Documents', '/s/token', '/login', '/apis', '/webinar']) {
    assert.equal(isPage(path, NOT_PAGES), true, path);
  }
  for (const path of [
    '/api/files/list',
    '/api',
    '/dav/a.txt',
    '/_dl/1',
    '/assets/a.js',
    '/web/icon.svg',
    '/frames/docx.html',
  ]) {
    assert.equal(isPage(path, NOT_PAGES), false, path);
  }
});

test('only built files are cached', () => {
  assert.equal(isKeptFile('/assets/index-1a2b.js'), true);
  assert.equal(isKeptFile('/web/icon.svg'), false);
  assert.equal(isKeptFile('/api/v2/files/1/thumbnail'), false);
});
