// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { isFull } from '../../../../../tools/testing/tiers.ts';
import {
  buildExif,
  type ExifTag,
  little,
  makeExif,
  makeHeicWithExif,
  makeJpegWithExif,
  makeMovie,
  makePngWithExif,
  makeTiffWithExif,
  makeWebpWithExif,
} from '../../../../test/support/media/exif-files.ts';
import { makeJpeg } from '../../../../test/support/media/media-files.ts';
import { RangedBytes } from '../../ranged-bytes.ts';
import { findCapture } from './capture.ts';

const reader = (bytes: Buffer, onFetch = (_length: number) => {}) =>
  new RangedBytes(bytes.length, async (start, length) => {
    assert.ok(start >= 0 && start + length <= bytes.length, 'read beyond the end');
    onFetch(length);
    return bytes.subarray(start, start + length);
  });

const taken = '2026:07:06 07:04:03';
const exif = makeExif({ orientation: 6, taken, zone: '+02:00' });
const SECONDS_TO_1970 = 2_082_844_800;
const filmed = SECONDS_TO_1970 + Date.parse('2026-07-06T05:04:03Z') / 1_000;

const PICTURES: readonly (readonly [string, string, Buffer])[] = [
  ['a JPEG', 'image/jpeg', makeJpegWithExif(exif)],
  ['a JPEG after other metadata', 'image/jpeg', makeJpegWithExif(exif, 300_000)],
  ['a JPEG in the other byte order', 'image/jpeg', makeJpegWithExif(littleExif())],
  ['a PNG', 'image/png', makePngWithExif(exif)],
  ['a WebP', 'image/webp', makeWebpWithExif(exif)],
  ['a WebP with the header of a JPEG', 'image/webp', makeWebpWithExif(exif, 'Exif\0\0')],
  ['a HEIC', 'image/heic', makeHeicWithExif(exif)],
  ['an older HEIC', 'image/heif', makeHeicWithExif(exif, 0)],
  ['an AVIF with long ids', 'image/avif', makeHeicWithExif(exif, 2)],
  ['a TIFF', 'image/tiff', makeTiffWithExif(exif)],
];

function littleExif(): Buffer {
  return makeExif({ orientation: 6, taken, zone: '+02:00', isLittle: true });
}

const captureOf = (values: Parameters<typeof makeExif>[0]) =>
  findCapture('image/jpeg', reader(makeJpegWithExif(makeExif(values))));

describe('the time and the orientation are found', () => {
  for (const [what, type, bytes] of PICTURES) {
    it(`in ${what}`, async () => {
      assert.deepEqual(await findCapture(type, reader(bytes)), {
        takenAt: '2026-07-06T07:04:03+02:00',
        orientation: 6,
      });
    });
  }

  for (const [what, bytes] of [
    ['a movie', makeMovie(filmed)],
    ['a movie with times of 64 bits', makeMovie(BigInt(filmed))],
    [
      'a movie whose header follows the pictures',
      makeMovie(filmed, { brand: 'qt  ', pictureBytes: 500_000 }),
    ],
  ] as const) {
    it(`in ${what}`, async () => {
      const expected = { takenAt: '2026-07-06T05:04:03Z', orientation: undefined };
      assert.deepEqual(await findCapture('video/mp4', reader(bytes)), expected);
      assert.deepEqual(await findCapture('video/quicktime', reader(bytes)), expected);
    });
  }
});

describe('the time of a movie', () => {
  const zoneOf = async (text: string) =>
    (await findCapture('video/quicktime', reader(makeMovie(filmed, { brand: 'qt  ', filmed: text }))))
      .takenAt;

  it('is the local time with its zone, if the phone recorded it', async () => {
    for (const movie of [
      makeMovie(filmed, { brand: 'qt  ', filmed: '2026-07-06T07:04:03+0200' }),
      makeMovie(filmed, { filmed: '2026-07-06T07:04:03+02:00' }),
      // Its tables are longer than one read.
      makeMovie(filmed, { brand: 'qt  ', filmed: '2026-07-06T07:04:03+0200', trackBytes: 700_000 }),
      makeMovie(0, { filmed: '2026-07-06T07:04:03.5+0200', trackBytes: 10, pictureBytes: 200_000 }),
    ]) {
      const { takenAt } = await findCapture('video/quicktime', reader(movie));
      assert.equal(takenAt, '2026-07-06T07:04:03+02:00');
    }
    assert.equal(await zoneOf('2026-07-05T18:04:03-1100'), '2026-07-05T18:04:03-11:00');
  });

  it('is the time in the header, if the local time is invalid or has no zone', async () => {
    for (const text of [
      ...['', 'x', '2026-07-06', '2026-07-06T07:04:03', '2026-07-06T07:04:03Z', '2026-02-30T07:04:03+0200'],
      ...['2026-07-06T07:04:03+1500', '1800-07-06T07:04:03+0200', 'x'.repeat(300)],
    ]) {
      assert.equal(await zoneOf(text), '2026-07-06T05:04:03Z', text);
    }
  });
});

describe('a time', () => {
  it('has no zone if the camera recorded none or an invalid one', async () => {
    for (const zone of [undefined, '', ' ', '   :  ', '+25:00', '+02:99', '+02:00:00']) {
      const { takenAt } = await captureOf({ taken, ...(zone === undefined ? {} : { zone }) });
      assert.equal(takenAt, '2026-07-06T07:04:03', zone);
    }
    assert.equal((await captureOf({ taken, zone: '-09:30' })).takenAt, '2026-07-06T07:04:03-09:30');
  });

  it('is left out if it is invalid or comes from a clock that was not set', async () => {
    for (const bad of [
      ...['0000:00:00 00:00:00', '    :  :     :  :  ', '2026:02:30 00:00:00', '2026:13:01 00:00:00'],
      ...[
        '2026:07:06 24:00:01',
        '2026:07:06 07:60:00',
        '1800:01:01 00:00:00',
        '2026:07:06 07:04:61',
        'x',
        '',
      ],
      ...['2026:07-06 07:04:03', '2026:07:06 noon', '2026:07:06'.padEnd(100, 'x')],
    ]) {
      assert.deepEqual(await captureOf({ taken: bad }), { takenAt: undefined, orientation: 1 }, bad);
    }
    for (const seconds of [0, 1, SECONDS_TO_1970, 0xffff_ffff_ffff_ffffn]) {
      const { takenAt } = await findCapture('video/mp4', reader(makeMovie(seconds)));
      assert.equal(takenAt, undefined, String(seconds));
    }
  });
});

it('an invalid orientation is left out', async () => {
  for (const orientation of [0, 9, 65_535]) {
    assert.equal((await captureOf({ orientation })).orientation, undefined);
  }
});

describe('the camera, the exposure and the place are found', () => {
  const [NAME, SHORT, LONG, FRACTION] = [2, 3, 4, 5] as const;
  const fractions = (...values: readonly number[]) => little(4, ...values);
  const exposure: readonly ExifTag[] = [
    [0x829a, FRACTION, fractions(10, 2_500), 1],
    [0x829d, FRACTION, fractions(28, 10), 1],
    [0x8827, SHORT, little(2, 400), 1],
    [0x920a, FRACTION, fractions(50, 1), 1],
    [0xa434, NAME, 'RF 50mm F1.8'],
  ];
  const names = (make: string, model: string): readonly ExifTag[] => [
    [0x010f, NAME, make],
    [0x0110, NAME, model],
  ];
  const place = ([south, west]: readonly [string, string], ...degrees: readonly number[]): ExifTag[] => [
    [1, NAME, south],
    [2, FRACTION, fractions(...degrees.slice(0, 2), 30, 1, 900, 100), 3],
    [3, NAME, west],
    [4, FRACTION, fractions(...degrees.slice(2), 0, 1, 0, 1), 3],
  ];
  const settingsOf = async (parts: Parameters<typeof buildExif>[0]) => {
    const bytes = makeJpegWithExif(buildExif(parts));
    const { takenAt: _, orientation: __, ...settings } = await findCapture('image/jpeg', reader(bytes));
    return settings;
  };
  const values = { exposureTime: 0.004, aperture: 2.8, iso: 400, focalLength: 50, lens: 'RF 50mm F1.8' };

  it('in the directories of EXIF, or in the first one', async () => {
    const gps = place(['S', 'W'], 33, 1, 70, 1);
    const main = names('Apple', 'iPhone 15');
    assert.deepEqual(await settingsOf({ main, details: exposure, gps }), {
      ...{ ...values, camera: 'Apple iPhone 15', latitude: -33.5025, longitude: -70 },
    });
    assert.deepEqual(await settingsOf({ main: exposure }), values);
  });

  it('with the name of the maker only once', async () => {
    for (const [make, model, camera] of [
      ['NIKON CORPORATION', 'NIKON D750', 'NIKON D750'],
      ['Canon', 'Canon EOS R5', 'Canon EOS R5'],
      ['', 'Box', 'Box'],
    ] as const) {
      assert.deepEqual(await settingsOf({ main: names(make, model) }), { camera });
    }
  });

  it('unless they are impossible or zero', async () => {
    const zero = fractions(0, 1);
    const nothing = fractions(0, 0);
    const details: readonly ExifTag[] = [
      [0x829a, FRACTION, nothing, 1],
      [0x829d, FRACTION, zero, 1],
      [0x8827, SHORT, little(2, 0), 1],
      [0x920a, FRACTION, fractions(4_000_000_000, 1), 1],
      [0xa434, NAME, '-----'],
    ];
    assert.deepEqual(await settingsOf({ main: names(' ', '\n'), details }), {});
    for (const gps of [
      place(['N', 'X'], 33, 1, 70, 1),
      place(['N', 'E'], 91, 1, 70, 1),
      place(['N', 'E'], 33, 0, 70, 1),
      place(['N', 'E'], 33, 1, 70, 1).slice(0, 2),
      [
        [1, NAME, 'N'],
        [2, FRACTION, fractions(0, 1, 0, 1, 0, 1), 3],
        [3, NAME, 'E'],
        [4, FRACTION, fractions(0, 1, 0, 1, 0, 1), 3],
      ] as const,
    ]) {
      assert.deepEqual(await settingsOf({ gps }), {});
    }
  });

  it('with a sensitivity that has more than 16 bits', async () => {
    const details: readonly ExifTag[] = [
      [0x8827, SHORT, little(2, 65_535), 1],
      [0x8832, LONG, little(4, 102_400), 1],
    ];
    assert.deepEqual(await settingsOf({ details }), { iso: 102_400 });
  });
});

it('a file without metadata has no time and no orientation', async () => {
  const none = { takenAt: undefined, orientation: undefined };
  assert.deepEqual(await findCapture('image/jpeg', reader(makeJpeg(3, 3))), none);
  for (const type of ['image/gif', 'image/bmp', 'audio/mpeg', 'video/webm', 'image/svg+xml']) {
    assert.deepEqual(await findCapture(type, reader(makeJpegWithExif(exif))), none);
  }
});

it('only a small part of a large file is read', async () => {
  for (const [type, bytes] of [
    ['image/jpeg', makeJpegWithExif(exif, 30_000_000)],
    ['video/mp4', makeMovie(filmed, { pictureBytes: 30_000_000 })],
  ] as const) {
    let fetched = 0;
    await findCapture(
      type,
      reader(bytes, (length) => (fetched += length)),
    );
    assert.ok(fetched <= 2 * 1024 ** 2, `${fetched} bytes`);
  }
});

const FILES: readonly (readonly [string, Buffer])[] = [
  ...PICTURES.filter(([, , bytes]) => bytes.length < 10_000).map(([, type, bytes]) => [type, bytes] as const),
  ['video/mp4', makeMovie(filmed)],
  ['video/quicktime', makeMovie(filmed, { brand: 'qt  ', filmed: '2026-07-06T07:04:03+0200' })],
];

function assertSound({ takenAt, orientation, ...settings }: Awaited<ReturnType<typeof findCapture>>): void {
  assert.ok(takenAt === undefined || !Number.isNaN(Date.parse(takenAt)), takenAt);
  assert.ok(orientation === undefined || (orientation >= 1 && orientation <= 8), String(orientation));
  for (const value of Object.values(settings)) {
    assert.ok(typeof value === 'string' ? value !== '' : Number.isFinite(value), JSON.stringify(settings));
  }
}

describe('hostile bytes yield valid values or none, never an error', () => {
  it('when any bytes are changed', async () => {
    const changes = fc.array(fc.tuple(fc.nat(600), fc.oneof(fc.nat(255), fc.constantFrom(0, 0xff))), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...FILES), changes, async ([type, file], changed) => {
        const bytes = Buffer.from(file);
        for (const [place, value] of changed) if (place < bytes.length) bytes[place] = value;
        assertSound(await findCapture(type, reader(bytes)));
      }),
      { numRuns: isFull ? 3_000 : 300 },
    );
  });

  it('when the file is truncated at any place, or has another format than the type says', async () => {
    for (const [type, file] of FILES) {
      for (let length = 0; length < file.length; length += 1) {
        assertSound(await findCapture(type, reader(file.subarray(0, length))));
      }
      for (const [, other] of FILES) assertSound(await findCapture(type, reader(other)));
    }
  });

  it('when any number of four bytes is as small or as large as possible', async () => {
    for (const value of [0, 1, 7, 8, 0x7fff_ffff, 0xffff_ffff]) {
      for (const [type, file] of FILES) {
        for (let place = 0; place + 4 <= file.length; place += 1) {
          const bytes = Buffer.from(file);
          bytes.writeUInt32BE(value, place);
          assertSound(await findCapture(type, reader(bytes)));
        }
      }
    }
  });

  it('when a list has as many items as fit, in linear time', async () => {
    // An `iloc` of 64 KiB that says it has four billion items.
    const heic = makeHeicWithExif(exif, 2);
    const at = heic.indexOf('iloc') - 4;
    const iloc = Buffer.alloc(60_000, 0);
    iloc.writeUInt32BE(iloc.length);
    iloc.write('iloc', 4);
    iloc.set([2, 0, 0, 0, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff], 8);
    const bytes = Buffer.concat([heic.subarray(0, at), iloc]);
    bytes.writeUInt32BE(bytes.length - heic.indexOf('meta') + 4, heic.indexOf('meta') - 4);
    const before = process.cpuUsage();
    assertSound(await findCapture('image/heic', reader(bytes)));
    assert.ok(process.cpuUsage(before).user < 300_000);
  });
});
