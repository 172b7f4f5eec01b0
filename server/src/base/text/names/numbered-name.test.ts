// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFileName } from './file-name.ts';
import { parseNumberedName, withNumber } from './numbered-name.ts';

function numbered(name: string, number: number): string {
  return withNumber(parseNumberedName(toFileName(name)), number);
}

test('the number stands before the extension', () => {
  assert.equal(numbered('letter.pdf', 2), 'letter (2).pdf');
  assert.equal(numbered('backup.tar.gz', 2), 'backup (2).tar.gz');
  assert.equal(numbered('README', 2), 'README (2)');
  assert.equal(numbered('.bashrc', 2), '.bashrc (2)');
  assert.equal(numbered('v1. and more', 2), 'v1. and more (2)');
});

test('a number that the name has already is replaced', () => {
  assert.deepEqual(parseNumberedName(toFileName('letter (7).pdf')), {
    stem: 'letter',
    number: 7,
    extension: '.pdf',
  });
  assert.equal(numbered('letter (7).pdf', 8), 'letter (8).pdf');
  assert.equal(numbered('(7)', 2), '(7) (2)');
});

test('a long name is shortened by whole characters, and stays a valid name', () => {
  const long = `${'😀'.repeat(62)}.jpeg`;
  const name = numbered(long, 12_345);
  assert.ok(Buffer.byteLength(name) <= 255);
  assert.equal(toFileName(name), name);
  assert.ok(name.endsWith('😀 (12345).jpeg'));
});
