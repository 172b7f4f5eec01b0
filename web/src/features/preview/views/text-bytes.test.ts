import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toText } from './text-bytes.ts';

const bytesOf = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding));

test('text is read in its encoding', () => {
  assert.equal(toText(bytesOf('Grüße, 夏', 'utf8'), false), 'Grüße, 夏');
  assert.equal(toText(bytesOf('\ufeffGrüße', 'utf8'), false), 'Grüße');
  assert.equal(toText(bytesOf('\ufeffGrüße', 'utf16le'), false), 'Grüße');
  assert.equal(toText(bytesOf('Grüße', 'latin1'), false), 'Grüße');
});

test('a character that was cut in two is left out', () => {
  assert.equal(toText(bytesOf('夏天', 'utf8').slice(0, 4), true), '夏');
});

test('binary content is not shown as text', () => {
  assert.equal(toText(new Uint8Array([80, 75, 3, 4, 0, 0]), false), undefined);
});
