import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makeBmp, makeHeif, makeJpeg, makeTiff } from '../../../test/support/media/media-files.ts';
import { GIF, makePng, SVG, WEBP } from '../../../test/support/media/pictures.ts';
import { RangedBytes } from '../ranged-bytes.ts';
import { findDimensions } from './image-dimensions.ts';

const reader = (bytes: Buffer, onFetch = (_length: number) => {}) =>
  new RangedBytes(bytes.length, async (start, length) => {
    assert.ok(start + length <= bytes.length, 'read behind the end');
    onFetch(length);
    return bytes.subarray(start, start + length);
  });

describe('a picture says how large it is', () => {
  for (const [what, type, bytes, width, height] of [
    ['JPEG', 'image/jpeg', makeJpeg(4_032, 3_024), 4_032, 3_024],
    [
      'JPEG that is to be turned, as it is stored',
      'image/jpeg',
      makeJpeg(40, 30, { orientation: 6 }),
      40,
      30,
    ],
    ['JPEG behind a megabyte of metadata', 'image/jpeg', makeJpeg(7, 8, { padding: 1_000_000 }), 7, 8],
    ['PNG', 'image/png', makePng(30, 20), 30, 20],
    ['GIF', 'image/gif', GIF, 1, 1],
    ['WebP', 'image/webp', WEBP, 1, 1],
    ['TIFF with its tags at the end', 'image/tiff', makeTiff(640, 480, 900_000), 640, 480],
    ['BigTIFF', 'image/tiff', makeTiff(70_000, 480, 900_000, true), 70_000, 480],
    ['BMP that stands on its head', 'image/bmp', makeBmp(5, -6), 5, 6],
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
    ['SVG', 'image/svg+xml', SVG, 9, 9],
    ['SVG by its view box', 'image/svg+xml', Buffer.from('<svg viewBox="0 0 20 10"/>'), 20, 10],
    ['PNG with more pixels than anybody has', 'image/png', largePng(), 2_000_000_000, 2_000_000_000],
  ] as const) {
    it(what, async () => {
      assert.deepEqual(await findDimensions(type, reader(bytes)), { width, height });
    });
  }

  it('or does not', async () => {
    for (const [type, bytes] of [
      ['image/jpeg', Buffer.from('ffd8ffe0', 'hex')],
      ['image/jpeg', Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(3_000_000, 0xff)])],
      ['image/png', makePng().subarray(0, 20)],
      ['image/png', makePng(0, 0)],
      ['image/tiff', makeTiff(0, 0, 10)],
      ['image/svg+xml', Buffer.from('<svg>')],
      ['image/svg+xml', Buffer.from('<svg width="10%" height="10%">')],
      ['video/mp4', makeHeif(['isom'], [[1, 1]])],
    ] as const) {
      assert.equal(await findDimensions(type, reader(bytes)), undefined, type);
    }
  });

  it('and little of it is read', async () => {
    let fetched = 0;
    const bytes = makeJpeg(7, 8, { padding: 30_000_000 });
    await findDimensions(
      'image/jpeg',
      reader(bytes, (length) => (fetched += length)),
    );
    assert.ok(fetched <= 2 * 1024 ** 2, `${fetched} bytes`);
  });
});

it('whatever the bytes are, it comes to an end without a fault', async () => {
  const heads = [
    makeJpeg(3, 3),
    makePng(),
    GIF,
    WEBP,
    makeTiff(1, 1, 5),
    makeBmp(2, 2),
    SVG,
    makeHeif(['heic'], [[1, 1]]),
  ];
  const types = ['jpeg', 'png', 'gif', 'webp', 'tiff', 'bmp', 'svg+xml', 'heic'];
  await fc.assert(
    fc.asyncProperty(
      fc.nat(heads.length - 1),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 6 }),
      async (index, changes) => {
        const bytes = Buffer.from(heads[index] ?? '');
        for (const [place, value] of changes) if (place < bytes.length) bytes[place] = value;
        const found = await findDimensions(`image/${types[index]}`, reader(bytes));
        assert.ok(found === undefined || (found.width > 0 && found.height > 0));
      },
    ),
    { numRuns: 3_000 },
  );
});

it('a tag that never ends takes no time', async () => {
  const bytes = Buffer.from('<svg '.repeat(100_000));
  assert.equal(await findDimensions('image/svg+xml', reader(bytes)), undefined);
});

function largePng(): Buffer {
  const bytes = makePng();
  bytes.writeUInt32BE(2_000_000_000, 16);
  bytes.writeUInt32BE(2_000_000_000, 20);
  return bytes;
}
