// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { isFull } from '../../../../tools/testing/tiers.ts';
import { box, makeBmp, makeHeif, makeJpeg, makeTiff } from '../../../test/support/media/media-files.ts';
import { AVIF, GIF, makePng, SVG, WEBP } from '../../../test/support/media/pictures.ts';
import { RangedBytes } from '../ranged-bytes.ts';
import { findDimensions } from './image-dimensions.ts';

const reader = (bytes: Buffer, onFetch = (_length: number) => {}) =>
  new RangedBytes(bytes.length, async (start, length) => {
    assert.ok(start + length <= bytes.length, 'read beyond the end');
    onFetch(length);
    return bytes.subarray(start, start + length);
  });

// The beginnings of files, as far as they are read.
const LOSSY_WEBP = Buffer.from(
  'RIFF\0\0\0\0WEBPVP8 \0\0\0\0\x30\x01\0\x9d\x01\x2a\x26\x02\x70\x01',
  'latin1',
);
const EXTENDED_WEBP = Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0\x2b\x01\0\x6f\x11\x01', 'latin1');
const IPHONE_PNG = Buffer.from(
  '\x89PNG\r\n\x1a\n\0\0\0\x04CgBI\x50\0\x20\x02\x2b\xd5\xb3\x7f\0\0\0\rIHDR\0\0\0\x28\0\0\0\x1e',
  'latin1',
);
const OLD_BMP = Buffer.from(`BM${'\0'.repeat(12)}\x0c\0\0\0\x2c\x01\xc8\0\x01\0\x18\0`, 'latin1');

describe('the size is found in a', () => {
  for (const [what, type, bytes, width, height] of [
    ['JPEG', 'image/jpeg', makeJpeg(4_032, 3_024), 4_032, 3_024],
    [
      'JPEG with an orientation, which is not applied',
      'image/jpeg',
      makeJpeg(40, 30, { orientation: 6 }),
      40,
      30,
    ],
    ['JPEG after a megabyte of metadata', 'image/jpeg', makeJpeg(7, 8, { padding: 1_000_000 }), 7, 8],
    ['PNG', 'image/png', makePng(30, 20), 30, 20],
    ['GIF', 'image/gif', GIF, 1, 1],
    ['WebP', 'image/webp', WEBP, 1, 1],
    ['TIFF with its tags at the end', 'image/tiff', makeTiff(640, 480, 900_000), 640, 480],
    ['BigTIFF', 'image/tiff', makeTiff(70_000, 480, 900_000, true), 70_000, 480],
    ['BMP with a negative height', 'image/bmp', makeBmp(5, -6), 5, 6],
    [
      'HEIC made of tiles',
      'image/heic',
      makeHeif(
        ['heic'],
        [
          [512, 512],
          [4_032, 3_024],
        ],
      ),
      4_032,
      3_024,
    ],
    ['AVIF', 'image/avif', makeHeif(['avif'], [[9, 8]]), 9, 8],
    ['lossy WebP', 'image/webp', LOSSY_WEBP, 550, 368],
    ['extended WebP', 'image/webp', EXTENDED_WEBP, 300, 70_000],
    ['PNG of an iPhone app', 'image/png', IPHONE_PNG, 40, 30],
    ['BMP of the oldest version', 'image/bmp', OLD_BMP, 300, 200],
    ['AVIF from an encoder', 'image/avif', AVIF, 2, 2],
    ['HEIC whose sizes follow the pixels', 'image/heic', heicWithPixelsFirst(), 640, 480],
    ['HEIC with lengths of 64 bits', 'image/heic', heicWithLongLengths(), 640, 480],
    ['PNG with a huge declared size', 'image/png', largePng(), 2_000_000_000, 2_000_000_000],
  ] as const) {
    it(what, async () => {
      assert.deepEqual(await findDimensions(type, reader(bytes)), { width, height });
    });
  }

  it('is unknown where a file declares none, or is truncated', async () => {
    for (const [type, bytes] of [
      ['image/jpeg', Buffer.from('ffd8ffe0', 'hex')],
      ['image/jpeg', Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(3_000_000, 0xff)])],
      ['image/png', makePng().subarray(0, 20)],
      ['image/png', makePng(0, 0)],
      ['image/tiff', makeTiff(0, 0, 10)],
      ['image/svg+xml', SVG],
      ['image/webp', WEBP.subarray(0, 20)],
      ['image/heic', makeHeif(['heic'], [])],
      ['image/heic', makeHeif(['heic'], [[0, 0]])],
      ['video/mp4', makeHeif(['isom'], [[1, 1]])],
    ] as const) {
      assert.equal(await findDimensions(type, reader(bytes)), undefined, type);
    }
  });

  it('is found by reading a small part of the file', async () => {
    let fetched = 0;
    const bytes = makeJpeg(7, 8, { padding: 30_000_000 });
    await findDimensions(
      'image/jpeg',
      reader(bytes, (length) => (fetched += length)),
    );
    assert.ok(fetched <= 2 * 1024 ** 2, `${fetched} bytes`);
  });
});

const HEADS: readonly (readonly [string, Buffer])[] = [
  ['image/jpeg', makeJpeg(3, 3)],
  ['image/png', makePng()],
  ['image/gif', GIF],
  ['image/webp', WEBP],
  ['image/tiff', makeTiff(1, 1, 5)],
  ['image/bmp', makeBmp(2, 2)],
  ['image/heic', makeHeif(['heic'], [[1, 1]])],
];

describe('hostile bytes yield a size or none, never an error', () => {
  it('when any bytes are changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...HEADS),
        fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 6 }),
        async ([type, head], changes) => {
          const bytes = Buffer.from(head);
          for (const [place, value] of changes) if (place < bytes.length) bytes[place] = value;
          const found = await findDimensions(type, reader(bytes));
          assert.ok(found === undefined || (found.width > 0 && found.height > 0));
        },
      ),
      { numRuns: isFull ? 3_000 : 300 },
    );
  });

  it('when the file is truncated at any place', async () => {
    for (const [type, head] of HEADS) {
      for (let length = 0; length < Math.min(head.length, 300); length += 1) {
        await findDimensions(type, reader(head.subarray(0, length)));
      }
    }
  });

  it('when the content has another format than the type says', async () => {
    for (const [type] of HEADS) {
      for (const [otherType, head] of HEADS) {
        if (type !== otherType) assert.equal(await findDimensions(type, reader(head)), undefined, type);
      }
    }
  });

  it('when boxes of HEIF declare impossible lengths', async () => {
    for (const length of [0, 1, 7, 8, 9, 0x7fff_ffff, 0xffff_ffff]) {
      const bytes = makeHeif(['heic'], [[1, 1]]);
      for (let place = 0; place + 4 <= bytes.length; place += 4) {
        const changed = Buffer.from(bytes);
        changed.writeUInt32BE(length, place);
        await findDimensions('image/heic', reader(changed));
      }
    }
  });

  it('when boxes of HEIF are nested deeply', async () => {
    const total = 60_000;
    const nested = Buffer.alloc(total);
    makeHeif(['heic'], []).copy(nested, 0, 0, 16);
    for (let place = 16; place + 8 <= total; place += 8) {
      nested.writeUInt32BE(total - place, place);
      nested.write('meta', place + 4);
    }
    assert.equal(await findDimensions('image/heic', reader(nested)), undefined);
  });

  it('in linear time when there are as many HEIF boxes as fit', async () => {
    for (const bytes of manyBoxes()) {
      // Measures CPU time, because other processes may use the cores. A quadratic reader takes seconds.
      const before = process.cpuUsage();
      const found = await findDimensions('image/heic', reader(bytes));
      assert.ok(found === undefined || found.width > 0);
      assert.ok(process.cpuUsage(before).user < 300_000, `${process.cpuUsage(before).user} µs`);
    }
  });
});

/** Files of 384 KiB that consist of the smallest possible boxes, on each level in turn. */
function manyBoxes(): readonly Buffer[] {
  const sizes = Array.from({ length: 19_000 }, (_, index) => [index + 1, 1] as const);
  const empty = Buffer.concat(Array.from({ length: 48_000 }, () => box('free')));
  return [
    makeHeif(['heic'], sizes),
    Buffer.concat([makeHeif(['heic'], []).subarray(0, 16), empty]),
    Buffer.concat([makeHeif(['heic'], []).subarray(0, 16), box('meta', Buffer.alloc(4), empty)]),
    Buffer.concat([makeHeif(['heic'], []).subarray(0, 16), box('meta', Buffer.alloc(4), box('iprp', empty))]),
  ];
}

function heicWithPixelsFirst(): Buffer {
  const heic = makeHeif(['heic'], [[640, 480]]);
  const meta = heic.indexOf('meta') - 4;
  return Buffer.concat([heic.subarray(0, meta), box('mdat', Buffer.alloc(3_000_000)), heic.subarray(meta)]);
}

function heicWithLongLengths(): Buffer {
  const heic = makeHeif(['heic'], [[640, 480]]);
  const meta = heic.indexOf('meta') - 4;
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1);
  head.write('mdat', 4);
  head.writeBigUInt64BE(BigInt(16 + 100), 8);
  return Buffer.concat([heic.subarray(0, meta), head, Buffer.alloc(100), heic.subarray(meta)]);
}

function largePng(): Buffer {
  const bytes = makePng();
  bytes.writeUInt32BE(2_000_000_000, 16);
  bytes.writeUInt32BE(2_000_000_000, 20);
  return bytes;
}
