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
  ] as const) {
    it(type, () => assert.equal(findMediaType(head, 'without'), type));
  }
});

it('the name is used only for containers that may contain audio only', () => {
  assert.equal(findMediaType(makeHeif(['isom'], []), 'a.m4a'), 'audio/mp4');
  assert.equal(findMediaType(makePng(), 'a.mp3'), 'image/png');
});

describe('the type is unknown of', () => {
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

it('any bytes give a media type or undefined', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (head) => {
      const type = findMediaType(head, 'x');
      assert.ok(type === undefined || /^(image|video|audio)\//.test(type));
    }),
  );
});
