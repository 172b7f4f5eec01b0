// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { makeBmp, makeHeif } from '../../../test/support/media/media-files.ts';
import { AVIF, GIF, JPEG, makePng, WEBP } from '../../../test/support/media/pictures.ts';
import { Failure } from '../../base/failure.ts';
import { RangedBytes } from '../../formats/ranged-bytes.ts';
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

const check = (bytes: Uint8Array, declared: string | null = null) =>
  checkPicture(
    new RangedBytes(bytes.length, async (start, length) => {
      assert.ok(length <= 65_536 && start + length <= bytes.length, `${start} ${length}`);
      return bytes.subarray(start, start + length);
    }),
    declared,
  );
const isRejected = (error: unknown) => error instanceof Failure && error.kind === 'rejected';

test('a picture of each accepted format is recognised', async () => {
  for (const [bytes, type] of [
    [JPEG, 'image/jpeg'],
    [makePng(), 'image/png'],
    [GIF, 'image/gif'],
    [WEBP, 'image/webp'],
    [AVIF, 'image/avif'],
    [makeHeif(['heic', 'mif1'], [[8, 8]]), 'image/heic'],
    [makeBmp(3, 3), 'image/bmp'],
  ] as const) {
    assert.equal(await check(bytes), type);
    assert.equal(await check(bytes, type), type);
    await assert.rejects(check(bytes, type === 'image/png' ? 'image/gif' : 'image/png'), isRejected);
  }
});

test('any bytes are either recognised as a picture or rejected', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...HEADS), fc.uint8Array({ maxLength: 2_000 }), async (head, rest) => {
      try {
        assert.match(await check(Buffer.concat([head, rest])), /^image\/(?!svg)/);
      } catch (error) {
        assert(isRejected(error), String(error));
      }
    }),
    { numRuns: 500 },
  );
});

test('memory after the end of the bytes is not read', async () => {
  const memory = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.alloc(100, 1),
  ]);
  assert.equal(await check(memory), 'image/png');
  await assert.rejects(check(memory.subarray(0, 20)), isRejected);
});

test('a picture may have metadata before its size, but no more than is read of any file', async () => {
  assert.equal(await check(jpegWithSizeAfter(7)), 'image/jpeg');
  await assert.rejects(check(jpegWithSizeAfter(40)), isRejected);
});

test('pictures that make other readers slow take no time', async () => {
  const sizes = Array.from({ length: 19_000 }, (_, index) => [index + 1, 1] as const);
  for (const bytes of [
    makeHeif(['heic'], sizes),
    Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(5_000_000, 0xff)]),
    Buffer.from('<svg '.repeat(1_000_000)),
    Buffer.from(`<svg width="1" width='${'<!---->'.repeat(700_000)}`),
    Buffer.from('<!---->'.repeat(700_000)),
  ]) {
    // CPU time, because other processes may use the cores.
    const before = process.cpuUsage();
    await check(bytes).catch((error: unknown) => assert(isRejected(error), String(error)));
    assert.ok(process.cpuUsage(before).user < 300_000, `${process.cpuUsage(before).user} µs`);
  }
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
