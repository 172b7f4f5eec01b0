import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../base/failure.ts';
import { checkPicture, findPictureType } from './picture.ts';

/** The first bytes of files with accepted and other formats. */
const HEADS = [
  'ffd8ffe0',
  'ffd8ffe1ffff457869660000',
  '89504e470d0a1a0a0000000d49484452',
  '474946383961',
  '524946460000000057454250',
  '0000001866747970617669660000000061766966',
  '00000000667479706865696300000000',
  '424d',
  '49492a00',
  '3c737667',
  '0000000c4a584c20',
].map((hex) => Buffer.from(hex, 'hex'));

test('a declared type is accepted in its usual spellings, and only for raster images', () => {
  assert.equal(findPictureType('IMAGE/JPG'), 'image/jpeg');
  assert.equal(findPictureType(' image/png ; charset=binary'), 'image/png');
  for (const type of ['image/svg+xml', 'image/tiff', 'text/html', 'image', '', 'application/octet-stream']) {
    assert.equal(findPictureType(type), undefined, type);
  }
});

test('any bytes are either recognised as a picture or rejected', () => {
  fc.assert(
    fc.property(fc.constantFrom(...HEADS), fc.uint8Array({ maxLength: 2_000 }), (head, rest) => {
      try {
        assert.match(checkPicture(Buffer.concat([head, rest]), null), /^image\/(?!svg)/);
      } catch (error) {
        assert(error instanceof Failure && error.kind === 'rejected', String(error));
      }
    }),
    { numRuns: 500 },
  );
});

test('memory after the end of the bytes is not read', () => {
  const memory = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.alloc(100, 1),
  ]);
  assert.equal(checkPicture(memory, null), 'image/png');
  assert.throws(() => checkPicture(memory.subarray(0, 20), null), Failure);
});

test('only the head of a picture is read', () => {
  assert.equal(checkPicture(jpegWithSizeAfter(7), null), 'image/jpeg');
  assert.throws(() => checkPicture(jpegWithSizeAfter(9), null), Failure);
});

/** A JPEG with its size after this many metadata segments of 64 KiB. */
function jpegWithSizeAfter(segments: number): Buffer {
  const metadata = Buffer.alloc(65_537);
  metadata.writeUInt32BE(0xffe2ffff);
  const frame = Buffer.from('ffc0001108001000100301220002110103110', 'hex');
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    ...Array.from({ length: segments }, () => metadata),
    frame,
    Buffer.alloc(64),
  ]);
}
