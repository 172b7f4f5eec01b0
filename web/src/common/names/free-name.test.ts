// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeName, stemOf } from './free-name.ts';

const NONE: ReadonlySet<string> = new Set();

test('a taken name gets a number before its extension', () => {
  assert.equal(freeName('letter.pdf', NONE), 'letter (2).pdf');
  assert.equal(freeName('README', NONE), 'README (2)');
  assert.equal(freeName('backup.tar.gz', NONE), 'backup (2).tar.gz');
  assert.equal(freeName('.bashrc', NONE), '.bashrc (2)');
  assert.equal(freeName('v1. and more', NONE), 'v1. and more (2)');
});

test('the number is the next free one', () => {
  assert.equal(freeName('a.txt', new Set(['a (2).txt', 'a (3).txt'])), 'a (4).txt');
  assert.equal(freeName('a (3).txt', new Set(['a (4).txt'])), 'a (5).txt');
  assert.equal(stemOf('a (3).txt'), 'a');
});

test('a name stays within the maximum length', () => {
  const name = freeName(`${'é'.repeat(125)}.text`, NONE);
  assert.ok(Buffer.byteLength(name) <= 255);
  assert.match(name, /^é+ \(2\)\.text$/);
});
