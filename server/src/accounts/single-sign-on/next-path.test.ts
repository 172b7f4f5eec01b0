// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNextPath } from './next-path.ts';

test('a path of the service keeps its query, and is percent-encoded', () => {
  assert.equal(toNextPath('/drive/Documents?preview=5'), '/drive/Documents?preview=5');
  assert.equal(toNextPath('/drive/Fotos%20%C3%BC'), '/drive/Fotos%20%C3%BC');
  assert.equal(toNextPath('/drive/ü'), '/drive/%C3%BC');
  assert.equal(toNextPath('/'), '/');
});

test('a URL of another site is rejected, however it is spelled', () => {
  for (const text of [
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/a/..//evil.example',
    '/.//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
    'drive',
    '',
    ' /drive',
    `/${'a'.repeat(3_000)}`,
    // Percent-encoded it is six times as long, and browsers drop such long cookies.
    `/${'ü'.repeat(1_000)}`,
  ]) {
    assert.equal(toNextPath(text), undefined, text);
  }
  assert.equal(toNextPath(undefined), undefined);
});
