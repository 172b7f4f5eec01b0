// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { makeBmp, makeHeif, makeJpeg, makeTiff } from '../../../test/support/media/media-files.ts';
import { GIF, makePng, SVG, WEBP } from '../../../test/support/media/pictures.ts';
import { findMediaType } from './media-signatures.ts';

const bytes = (text: string) => Buffer.from(text.padEnd(64, '\0'), 'latin1');

describe('the first bytes identify', () => {
  for (const [type, head] of [
    ['image/jpeg', makeJpeg(1, 1)],
    ['image/png', makePng()],
    ['image/gif', GIF],
    ['image/webp', WEBP],
    ['image/tiff', makeTiff(1, 1, 0)],
    ['image/tiff', makeTiff(1, 1, 0, true)],
    ['image/bmp', makeBmp(1, 1)],
    ['image/avif', makeHeif(['avif', 'mif1'], [])],
    ['image/heic', makeHeif(['heic', 'mif1'], [])],
    ['image/avif', makeHeif(['mif1', 'miaf', 'avif'], [])],
    ['image/heic', makeHeif(['mif1', 'heic'], [])],
    ['image/heif', makeHeif(['mif1'], [])],
    ['image/svg+xml', SVG],
    ['image/svg+xml', bytes('<?xml version="1.0"?>\n<!-- <svg> --><!DOCTYPE svg [<!ENTITY a "b">]> <svg>')],
    ['video/mp4', makeHeif(['isom', 'mp41'], [])],
    ['video/quicktime', makeHeif(['qt  '], [])],
    ['video/webm', bytes('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm')],
    ['video/x-matroska', bytes('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska')],
    ['video/x-msvideo', bytes('RIFF\0\0\0\0AVI LIST')],
    ['audio/wav', bytes('RIFF\0\0\0\0WAVEfmt ')],
    ['audio/mpeg', bytes('ID3\x04')],
    ['audio/mpeg', bytes('\xff\xfb\x90\x64')],
    ['audio/aac', bytes('\xff\xf1\x50\x80')],
    ['audio/flac', bytes('fLaC')],
    ['audio/ogg', bytes(`OggS${'\0'.repeat(24)}OpusHead`)],
    ['video/ogg', bytes(`OggS${'\0'.repeat(24)}\x80theora`)],
    ['audio/mp4', makeHeif(['M4A '], [])],
    [
      'video/mp2t',
      Buffer.concat(
        Array.from({ length: 3 }, () => bytes('G').toString('latin1').padEnd(188, '\0')).map((packet) =>
          Buffer.from(packet),
        ),
      ),
    ],
    [
      'video/mp2t',
      Buffer.concat(Array.from({ length: 3 }, () => Buffer.from('\0\0\0\0G'.padEnd(192, '\0')))),
    ],
    ['image/x-olympus-orf', bytes('IIRO\x08')],
    ['image/x-olympus-orf', bytes('IIRS\x08')],
    ['image/x-olympus-orf', bytes('MMOR\0\0\0\x08')],
    ['image/x-panasonic-rw2', bytes('IIU\0\x18')],
    ['image/x-fuji-raf', bytes('FUJIFILMCCD-RAW 0201')],
    ['image/x-canon-crw', bytes('II\x1a\0\0\0HEAPCCDR')],
    ['image/x-canon-cr3', makeHeif(['crx ', 'isom'], [])],
    ['image/x-sigma-x3f', bytes('FOVb')],
  ] as const) {
    it(type, () => assert.equal(findMediaType(head, 'without'), type));
  }
});

it('the name decides for raw files that are TIFF files, and for formats without a known signature', () => {
  const tiff = makeTiff(1, 1, 0);
  assert.equal(findMediaType(tiff, 'a.NEF'), 'image/x-nikon-nef');
  assert.equal(findMediaType(tiff, 'a.dng'), 'image/x-adobe-dng');
  assert.equal(findMediaType(tiff, 'a.jpg'), 'image/tiff');
  assert.equal(findMediaType(bytes('any'), 'a.tga'), 'image/x-tga');
  assert.equal(findMediaType(bytes('any'), 'a.nef'), undefined);
  assert.equal(findMediaType(bytes('any'), 'a.txt'), undefined);
});

it('the name decides for containers that may contain only audio', () => {
  assert.equal(findMediaType(makeHeif(['isom'], []), 'a.m4a'), 'audio/mp4');
  assert.equal(findMediaType(bytes('\x30\x26\xb2\x75\x8e\x66\xcf\x11'), 'a.wma'), 'audio/x-ms-wma');
  assert.equal(findMediaType(makePng(), 'a.mp3'), 'image/png');
});

describe('the type is unknown for', () => {
  for (const head of [
    bytes(''),
    Buffer.alloc(0),
    bytes('plain text about <svg> and GIF'),
    bytes('<html><svg></svg></html>'),
    bytes('<!-- <svg>'),
    bytes('PK\x03\x04'),
    bytes('%PDF-1.7'),
    bytes('BM but no picture'),
    bytes('\xff\xfe\0\0'),
  ]) {
    it(JSON.stringify(head.toString('latin1').slice(0, 20)), () => {
      assert.equal(findMediaType(head, 'a.jpg'), undefined);
    });
  }
});

it('any bytes yield a media type or undefined', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (head) => {
      const type = findMediaType(head, 'x');
      assert.ok(type === undefined || /^(image|video|audio)\//.test(type));
    }),
  );
});
