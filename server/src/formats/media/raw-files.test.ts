// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildExif,
  type ExifTag,
  little,
  makeExif,
  makeJpegWith,
  makeMovie,
  makePngWith,
  pngChunk,
} from '../../../test/support/media/exif-files.ts';
import { makeHeic } from '../../../test/support/media/heic.ts';
import { box } from '../../../test/support/media/media-files.ts';
import { RangedBytes } from '../ranged-bytes.ts';
import { findCapture } from './capture/capture.ts';
import { findDimensions } from './image-dimensions.ts';
import { findMediaType } from './media-signatures.ts';

const reader = (bytes: Buffer) =>
  new RangedBytes(bytes.length, async (start, length) => bytes.subarray(start, start + length));

const TAKEN = '2026:07:06 07:04:03';
const size = (width: number, height: number): ExifTag[] => [
  [256, 4, little(4, width), 1],
  [257, 4, little(4, height), 1],
];
const details: ExifTag[] = [[0x9003, 2, TAKEN]];
const orientation: ExifTag = [0x0112, 3, little(2, 6), 1];

/** A raw file whose first directory describes a preview, and refers to the picture's directory. */
function makeNested(): Buffer {
  const build = (at: number) =>
    buildExif({ main: [...size(160, 106), orientation, [0x014a, 4, little(4, at), 1]], details });
  const directory = Buffer.concat([
    little(2, 2),
    ...size(3040, 2014).map(([id, type, value]) =>
      Buffer.concat([little(2, id, type), little(4, 1), Buffer.from(value)]),
    ),
    little(4, 0),
  ]);
  return Buffer.concat([build(build(0).length), directory]);
}

/** A raw file in which the picture's directory follows the preview's directory. */
function makeChained(): Buffer {
  const first = buildExif({ main: [...size(160, 106), orientation], details });
  const next = first.readUInt16LE(8) * 12 + 10;
  const directory = buildExif({ main: size(3040, 2014) }).subarray(8);
  first.writeUInt32LE(first.length, next);
  return Buffer.concat([first, directory]);
}

const short = (value: number) => Buffer.from([value >> 8, value & 255]);
const long = (value: number) => Buffer.concat([short(value >>> 16), short(value & 0xffff)]);

function makeFuji(): Buffer {
  const jpeg = makeJpegWith([
    [0xe1, Buffer.concat([Buffer.from('Exif\0\0'), makeExif({ taken: TAKEN, orientation: 6 })])],
  ]);
  const head = Buffer.alloc(108);
  head.write('FUJIFILMCCD-RAW 0201');
  const tags = Buffer.concat([
    long(2),
    ...[short(0x100), short(4), short(2020), short(3050)],
    ...[short(0x111), short(4), short(2014), short(3040)],
  ]);
  long(108).copy(head, 84);
  long(jpeg.length).copy(head, 88);
  long(108 + jpeg.length).copy(head, 92);
  return Buffer.concat([head, jpeg, tags]);
}

function makeCanon(): Buffer {
  const id = Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex');
  const main = box('CMT1', buildExif({ main: [...size(3040, 2014), orientation] }));
  const exif = box('CMT2', buildExif({ main: details }));
  return Buffer.concat([
    box('ftyp', Buffer.from('crx \0\0\0\x01crx isom', 'latin1')),
    box('moov', box('uuid', id, main, exif)),
  ]);
}

function makeMinolta(): Buffer {
  const part = (name: string, content: Buffer) =>
    Buffer.concat([Buffer.from(`\0${name}`), long(content.length), content]);
  const head = Buffer.concat([
    Buffer.alloc(8),
    short(2020),
    short(3050),
    short(2014),
    short(3040),
    Buffer.alloc(8),
  ]);
  return Buffer.concat([
    ...[Buffer.from('\0MRM'), long(0), part('PRD', head)],
    part('TTW', buildExif({ main: [orientation], details })),
  ]);
}

const borders: ExifTag[] = [4, 5, 6, 7].map((id, index) => [
  id,
  3,
  little(2, [10, 20, 2024, 3060][index] ?? 0),
  1,
]);

const FILES: readonly (readonly [name: string, type: string, bytes: Buffer])[] = [
  ['a.nef', 'image/x-nikon-nef', makeNested()],
  ['a.dng', 'image/x-adobe-dng', makeNested()],
  ['a.iiq', 'image/x-phaseone-iiq', makeChained()],
  ['a.orf', 'image/x-olympus-orf', buildExif({ main: [...size(3040, 2014), orientation], details }, 'IIRO')],
  ['a.rw2', 'image/x-panasonic-rw2', buildExif({ main: [...borders, orientation], details }, 'IIU\0')],
  ['a.raf', 'image/x-fuji-raf', makeFuji()],
  ['a.cr3', 'image/x-canon-cr3', makeCanon()],
  ['a.mrw', 'image/x-minolta-mrw', makeMinolta()],
];

describe('the type, size, time and orientation of a raw file are found:', () => {
  for (const [name, type, bytes] of FILES) {
    it(name, async () => {
      assert.equal(findMediaType(bytes, name), type);
      assert.deepEqual(await findDimensions(type, reader(bytes)), { width: 3040, height: 2014 });
      assert.deepEqual(await findCapture(type, reader(bytes)), {
        takenAt: '2026-07-06T07:04:03',
        orientation: 6,
      });
    });
  }
});

it('a plain TIFF has the size of its first page', async () => {
  const bytes = makeChained();
  assert.deepEqual(await findDimensions('image/tiff', reader(bytes)), { width: 160, height: 106 });
});

it('stray bytes between the segments of a JPEG are skipped', async () => {
  const jpeg = makeJpegWith([[0xe1, Buffer.concat([Buffer.from('Exif\0\0'), makeExif({ taken: TAKEN })])]]);
  const frame = jpeg.indexOf(Buffer.from('ffc0', 'hex'));
  for (const stray of [Buffer.from([0]), Buffer.alloc(9_000, 7), Buffer.from([0xff, 0x00, 0xff, 0xff])]) {
    const bytes = Buffer.concat([
      jpeg.subarray(0, 2),
      stray,
      jpeg.subarray(2, frame),
      stray,
      jpeg.subarray(frame),
    ]);
    assert.deepEqual(await findDimensions('image/jpeg', reader(bytes)), { width: 40, height: 30 });
    assert.equal((await findCapture('image/jpeg', reader(bytes))).takenAt, '2026-07-06T07:04:03');
  }
});

describe('hostile bytes yield valid values or none, never an error', () => {
  const packet = Buffer.from(
    '<a xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="2026-07-06T07:04:03"/>',
  );
  const text = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), packet]);
  const all: readonly (readonly [string, Buffer])[] = [
    ...FILES.map(([, type, bytes]) => [type, bytes] as const),
    ['image/heic', makeHeic({ turns: 3, mirrorAxis: 1, exif: makeExif({ taken: TAKEN }), xmp: packet })],
    ['image/png', makePngWith(pngChunk('iTXt', text), pngChunk('tIME', Buffer.alloc(7, 7)))],
    [
      'image/jpeg',
      makeJpegWith([
        [
          0xed,
          Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0d\x1c\x02\x37\0\x0820260706', 'latin1'),
        ],
      ]),
    ],
    ['video/x-matroska', Buffer.from('1a45dfa3840000000018538067921549a9668d446188000000000000', 'hex')],
    ['video/x-msvideo', Buffer.from('RIFF\0\0\0\0AVI LIST\x14\0\0\0hdrlIDIT\x08\0\0\x002026-7-6', 'latin1')],
    ['video/mp4', makeMovie(1)],
  ];
  const check = async (type: string, bytes: Buffer) => {
    const { takenAt, orientation: found } = await findCapture(type, reader(bytes));
    assert.ok(takenAt === undefined || !Number.isNaN(Date.parse(takenAt)), takenAt);
    assert.ok(found === undefined || (found >= 1 && found <= 8), String(found));
    const { width = 1, height = 1 } = (await findDimensions(type, reader(bytes))) ?? {};
    assert.ok(width > 0 && height > 0);
  };

  it('when the file is truncated at any place', async () => {
    for (const [type, bytes] of all) {
      for (let length = 0; length < bytes.length; length += 1) await check(type, bytes.subarray(0, length));
    }
  });

  it('when any number of four bytes is as small or as large as possible', async () => {
    for (const value of [0, 1, 0x7fff_ffff, 0xffff_ffff]) {
      for (const [type, file] of all) {
        for (let place = 0; place + 4 <= file.length; place += 1) {
          const bytes = Buffer.from(file);
          bytes.writeUInt32BE(value, place);
          await check(type, bytes);
        }
      }
    }
  });
});
