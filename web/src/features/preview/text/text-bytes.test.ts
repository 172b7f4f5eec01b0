// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromText, isWritable, toText } from './text-bytes.ts';

const bytesOf = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding));

test('text is read in its encoding', () => {
  assert.equal(toText(bytesOf('Grüße, 夏', 'utf8'), false)?.text, 'Grüße, 夏');
  assert.equal(toText(bytesOf('\ufeffGrüße', 'utf8'), false)?.text, 'Grüße');
  assert.equal(toText(bytesOf('\ufeffGrüße', 'utf16le'), false)?.text, 'Grüße');
  assert.equal(toText(bytesOf('Grüße', 'latin1'), false)?.text, 'Grüße');
});

test('a character that was cut in two is left out', () => {
  assert.equal(toText(bytesOf('夏天', 'utf8').slice(0, 4), true)?.text, '夏');
});

test('binary content is not shown as text', () => {
  assert.equal(toText(new Uint8Array([80, 75, 3, 4, 0, 0]), false), undefined);
});

test('text that can be edited is written in the form that it had', () => {
  for (const content of ['', 'one\ntwo', 'one\r\ntwo\r\n', '\ufeffGrüße\r\n', '夏\n']) {
    const found = toText(bytesOf(content, 'utf8'), false);
    assert.ok(found !== undefined && isWritable(found), JSON.stringify(content));
    assert.ok(!found.text.includes('\r'));
    assert.equal(fromText(found.text, found.form), content);
  }
});

test('text that editing would change elsewhere cannot be edited', () => {
  for (const bytes of [
    bytesOf('one\r\ntwo\n', 'utf8'),
    bytesOf('a\rb', 'utf8'),
    bytesOf('Grüße', 'latin1'),
  ]) {
    const found = toText(bytes, false);
    assert.ok(found !== undefined && !isWritable(found));
  }
});
