// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgeZip } from '../../test/support/zip/zip-forge.ts';
import { type FormatName, findFormat } from './formats.ts';

const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const MAIL = 'Received: by x\r\nFrom: a@b.de\r\nSubject: Hi\r\n\r\nHello';

const CASES: readonly (readonly [string, string | Buffer, FormatName | undefined])[] = [
  ['a.pdf', '%PDF-1.7\n', 'pdf'],
  ['scan', '\x1b%-12345X@PJL JOB\n%PDF-1.4\n', 'pdf'],
  ['report.docx', forgeZip([{ name: 'any', content: 'x' }]), 'archive'],
  ['unnamed', forgeZip([{ name: '[Content_Types].xml', content: 'x' }]), 'archive'],
  ['unnamed', forgeZip([{ name: 'mimetype', content: 'application/epub+zip' }]), 'archive'],
  ['photos.zip', forgeZip([{ name: 'photo.jpg', content: 'x' }]), undefined],
  ['old.doc', COMPOUND, 'compound'],
  ['a.eml', 'Subject: Hi\n\nHello', 'email'],
  ['saved', MAIL, 'email'],
  ['saved', `From a@b Thu Jan  1\n${MAIL}`, 'email'],
  ['Inbox.mbox', `From a@b Thu Jan  1\nSubject: Hi\n\nHello`, 'email'],
  ['memo.txt', 'To: a\nFrom: b\nSubject: c\nDate: today\n\nHello', 'text'],
  ['list.txt', 'Subject: maths\n\nFrom: here', 'text'],
  ['page', '<!DOCTYPE html><p>', 'html'],
  ['page.txt', ' <!-- saved -->\n<HTML lang=de>', 'html'],
  ['page.html', '<p>Hello', 'html'],
  ['page.html', Buffer.from('\ufeff<html>', 'utf16le'), 'html'],
  ['page.html', 'only words', 'text'],
  ['readme.md', '# Title\n<b>x</b>', 'text'],
  ['table.csv', 'a;b\n1;2', 'text'],
  ['main.rs', 'fn main() {}', 'text'],
  ['main.ts', 'export {};', 'text'],
  ['Makefile', 'all:\n\tcc', 'text'],
  ['data.json', '{"a": 1}', 'text'],
  ['picture.png', 'not a picture, but words', 'text'],
  ['letter.txt', '%PDF-1.7\n', 'pdf'],
  ['notes.md', 'Files that begin with %PDF-1.7 are PDFs', 'text'],
  ['a.zip', forgeZip([{ name: 'a.pdf', content: '%PDF-1.7\n' }]), undefined],
  ['a', Buffer.from('\0\x01\x02%PDF-1.7\n', 'latin1'), 'pdf'],
  ['a.txt', 'caffeine is a stimulant', 'text'],
  ['a.txt', 'MAC address list', 'text'],
  ['a.md', 'ID3 tags explained', 'text'],
  ['a.csv', 'GIF89a,1', 'text'],
  ['board.dts', '/dts-v1/;', 'text'],
  ['icon.xpm', '/* XPM */', 'text'],
  ['letter.txt', Buffer.from('89504e470d0a1a0a', 'hex'), undefined],
  ['picture.svg', '<svg xmlns="http://www.w3.org/2000/svg"><text>a</text></svg>', undefined],
  ['letter.rtf', '{\\rtf1 Hello}', undefined],
  ['drawing.ps', '%!PS-Adobe-3.0', undefined],
  ['program', Buffer.from('7f454c46020101000000', 'hex'), undefined],
];

for (const [name, head, format] of CASES) {
  test(`${name} that begins with ${JSON.stringify(head.toString().slice(0, 12))} is ${format ?? 'not read'}`, () => {
    assert.equal(findFormat(Buffer.from(head), name), format);
  });
}
