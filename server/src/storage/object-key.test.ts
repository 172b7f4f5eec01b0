// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { checkObjectKey, checkObjectPrefix, isObjectKey } from './object-key.ts';

describe('object keys', () => {
  for (const key of [
    'a',
    'blobs/ab/cd.e',
    'A-Z_0.9',
    '-/-',
    'a'.repeat(255),
    Array(256).fill('a').join('/'),
  ]) {
    it(`accept ${key.slice(0, 20)} (${key.length} bytes)`, () => assert.equal(isObjectKey(key), true));
  }

  const refused = [
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    'a/../b',
    '.incoming/x',
    'a/.b',
    'a b',
    'ä',
    'a\\b',
    'a\n',
    'a\0',
    '%2e',
  ];
  for (const key of [...refused, 'a'.repeat(256), Array(257).fill('a').join('/')]) {
    it(`reject ${JSON.stringify(key.slice(0, 20))} (${key.length} bytes)`, () => {
      assert.equal(isObjectKey(key), false);
      assert.throws(() => checkObjectKey(key), { name: 'Error' });
    });
  }

  it('never include a path that a file system interprets differently', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '.', '/', '-', '\\', ' ', '\0') }), (text) => {
        if (!isObjectKey(text)) return;
        assert.equal(new URL(`file:///root/${text}`).pathname, `/root/${text}`);
      }),
    );
  });

  it('are never empty, although a prefix may be', () => {
    checkObjectPrefix('');
    checkObjectPrefix('blobs/a');
    assert.throws(() => checkObjectPrefix('blobs/'));
    assert.throws(() => checkObjectPrefix('.incoming'));
  });
});
