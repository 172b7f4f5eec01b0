// tier: default
// The unusual places where some cameras and programs write the time and the orientation.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import {
  buildExif,
  type ExifTag,
  little,
  makeExif,
  makeJpegWith,
  makeMovie,
  makePngWith,
  makeWebpWithExif,
  pngChunk,
} from '../../../../test/support/media/exif-files.ts';
import { makeHeic } from '../../../../test/support/media/heic.ts';
import { box } from '../../../../test/support/media/media-files.ts';
import { RangedBytes } from '../../ranged-bytes.ts';
import { findCapture } from './capture.ts';

const captureOf = (type: string, bytes: Buffer) =>
  findCapture(
    type,
    new RangedBytes(bytes.length, async (start, length) => bytes.subarray(start, start + length)),
  );
const timeIn = async (type: string, bytes: Buffer) => (await captureOf(type, bytes)).takenAt;

const TEXT = 2;
const ORIGINAL = 0x9003;
const CREATED = 0x9004;
const MODIFIED = 0x0132;
const ZONE = 0x9010;

const exifSegment = (exif: Buffer) =>
  [0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif])] as const;
const jpegOf = (parts: Parameters<typeof buildExif>[0]) => makeJpegWith([exifSegment(buildExif(parts))]);
const originalOf = (text: string, type = TEXT) =>
  timeIn('image/jpeg', jpegOf({ details: [[ORIGINAL, type, text]] }));

const XMP = (attributes: string) =>
  Buffer.from(
    `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" ${attributes}/></rdf:RDF></x:xmpmeta>`,
  );
const packet = XMP('exif:DateTimeOriginal="2026-07-06T07:04:03+02:00"');
const IN_XMP = '2026-07-06T07:04:03+02:00';
const TIME = '2026-07-06T07:04:03';

const dataSet = (number: number, text: string) =>
  Buffer.concat([Buffer.from([0x1c, 2, number, 0, text.length]), Buffer.from(text)]);
const iptc = Buffer.concat([dataSet(55, '20260706'), dataSet(60, '070403+0200')]);
const resources = Buffer.concat([
  Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0', 'latin1'),
  Buffer.from([iptc.length]),
  iptc,
]);

describe('an EXIF time is read', () => {
  for (const [text, expected = TIME] of [
    ['2026-07-06 07:04:03'],
    ['2026/07/06 07:04:03'],
    ['2026:07:06T07:04:03'],
    ['2026:07:06 07:04:03.25'],
    ['2026:7:6 7:4:3'],
    ['2026: 7: 6  7: 4: 3'],
    ['20260706T070403'],
    ['20260706', '2026-07-06T00:00:00'],
    ['2026:07:06 07:04:03'.padEnd(100)],
    ['2026:07:06 07:04', '2026-07-06T07:04:00'],
    ['2026:07:06', '2026-07-06T00:00:00'],
    ['2026:07:05 24:00:00', '2026-07-06T00:00:00'],
    ['2026:07:06 07:03:60', '2026-07-06T07:04:00'],
    ['2026:07:06 07:04:03+02:00', '2026-07-06T07:04:03+02:00'],
    ['2026:07:06 07:04:03Z', '2026-07-06T07:04:03Z'],
  ] as const) {
    it(`from "${text}"`, async () => assert.equal(await originalOf(text), expected));
  }

  it('if it is stored with another type, or in the first directory', async () => {
    for (const type of [1, 7, 129]) assert.equal(await originalOf('2026:07:06 07:04:03', type), TIME);
    assert.equal(
      await timeIn('image/jpeg', jpegOf({ main: [[ORIGINAL, TEXT, '2026:07:06 07:04:03']] })),
      TIME,
    );
  });

  it('with a zone in any spelling, even if it was recorded for all times', async () => {
    const zoned = async (id: number, zone: string) => {
      const details: ExifTag[] = [
        [ORIGINAL, TEXT, '2026:07:06 07:04:03'],
        [id, TEXT, zone],
      ];
      return await timeIn('image/jpeg', jpegOf({ details }));
    };
    for (const [zone, expected] of [
      ['Z', 'Z'],
      ['+0200', '+02:00'],
      ['+2', '+02:00'],
      ['-3:30', '-03:30'],
    ] as const) {
      assert.equal(await zoned(0x9011, zone), `${TIME}${expected}`);
      assert.equal(await zoned(ZONE, zone), `${TIME}${expected}`);
    }
  });
});

describe('without the time when the picture was taken', () => {
  it('the time of digitising counts, then of the last change, then of the satellites', async () => {
    const created: ExifTag = [CREATED, TEXT, '2026:07:06 07:04:03'];
    const modified: ExifTag = [MODIFIED, TEXT, '2026:08:08 08:08:08'];
    const fraction = (value: number) => little(4, value, 1);
    const gps: ExifTag[] = [
      [0x1d, TEXT, '2026:07:06'],
      [0x07, 5, Buffer.concat([fraction(5), fraction(4), little(4, 350, 100)]), 3],
    ];
    const of = (parts: Parameters<typeof buildExif>[0]) => timeIn('image/jpeg', jpegOf(parts));
    assert.equal(await of({ main: [modified], details: [created], gps }), TIME);
    assert.equal(await of({ main: [modified], gps }), '2026-08-08T08:08:08');
    assert.equal(await of({ gps }), '2026-07-06T05:04:03Z');
  });

  it('zeros and blanks are not a time', async () => {
    for (const empty of ['0000:00:00 00:00:00', '    :  :     :  :  ', '']) {
      const details: ExifTag[] = [
        [ORIGINAL, TEXT, empty],
        [CREATED, TEXT, '2026:07:06 07:04:03'],
      ];
      assert.equal(await timeIn('image/jpeg', jpegOf({ details })), TIME, empty);
    }
  });
});

describe('a time is read from XMP', () => {
  const name = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
  const text = (compressed: 0 | 1, content: Buffer) =>
    Buffer.concat([
      Buffer.from(`XML:com.adobe.xmp\0${String.fromCharCode(compressed)}\0\0\0`, 'latin1'),
      content,
    ]);
  const webp = Buffer.concat([
    makeWebpWithExif(makeExif({})),
    Buffer.from('XMP '),
    little(4, packet.length),
    packet,
  ]);
  for (const [what, type, bytes] of [
    ['a JPEG', 'image/jpeg', makeJpegWith([[0xe1, Buffer.concat([name, packet])]])],
    ['a PNG', 'image/png', makePngWith(pngChunk('iTXt', text(0, packet)))],
    ['a PNG that compresses it', 'image/png', makePngWith(pngChunk('iTXt', text(1, deflateSync(packet))))],
    ['a WebP', 'image/webp', webp],
    ['a HEIC', 'image/heic', makeHeic({ xmp: packet })],
    ['a TIFF', 'image/tiff', buildExif({ main: [[0x02bc, 1, packet]] })],
  ] as const) {
    it(`of ${what}`, async () => assert.equal(await timeIn(type, bytes), IN_XMP));
  }

  it('in an element, even if the packet is damaged after it', async () => {
    const element = packet
      .toString()
      .replace(/exif:DateTimeOriginal="(.*?)"\/>/, '><xmp:CreateDate>$1</xmp:CreateDate><cut');
    assert.equal(
      await timeIn('image/jpeg', makeJpegWith([[0xe1, Buffer.concat([name, Buffer.from(element)])]])),
      IN_XMP,
    );
  });
});

it('a time is read from IPTC in a JPEG and in a TIFF', async () => {
  assert.equal(await timeIn('image/jpeg', makeJpegWith([[0xed, resources]])), IN_XMP);
  assert.equal(await timeIn('image/tiff', buildExif({ main: [[0x83bb, 7, iptc]] })), IN_XMP);
});

describe('a time is read from a PNG', () => {
  const profile = (exif: Buffer) => {
    const hex = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]).toString('hex');
    const text = `\nexif\n${hex.length / 2}\n${hex.replaceAll(/(.{72})/g, '$1\n')}\n`;
    return pngChunk(
      'zTXt',
      Buffer.concat([Buffer.from('Raw profile type exif\0\0'), deflateSync(Buffer.from(text))]),
    );
  };
  const written = (text: string) => makePngWith(pngChunk('tEXt', Buffer.from(`Creation Time\0${text}`)));
  const exif = makeExif({ taken: '2026:07:06 07:04:03', orientation: 6 });
  const changed = pngChunk('tIME', Buffer.from([0x07, 0xea, 7, 6, 5, 4, 3]));
  for (const [what, bytes, expected] of [
    [
      'a block with the header of a JPEG',
      makePngWith(pngChunk('eXIf', Buffer.concat([Buffer.from('Exif\0\0'), exif]))),
      TIME,
    ],
    ['a raw profile', makePngWith(profile(exif)), TIME],
    ['a text as in EXIF', written('2026:07:06 07:04:03'), TIME],
    ['a text as in letters', written('Mon, 06 Jul 2026 07:04:03 +0200'), IN_XMP],
    ['the time of the change', makePngWith(changed), '2026-07-06T05:04:03Z'],
    ['a block, and not the time of the change', makePngWith(changed, pngChunk('eXIf', exif)), TIME],
  ] as const) {
    it(`with ${what}`, async () => assert.equal(await timeIn('image/png', bytes), expected));
  }
});

describe('an orientation is read', () => {
  for (const [what, tag] of [
    ['of 32 bits', [0x0112, 4, little(4, 6), 1]],
    ['of 8 bits', [0x0112, 1, Buffer.from([6]), 1]],
    ['with two values', [0x0112, 3, little(2, 6, 0), 2]],
  ] as const) {
    it(what, async () =>
      assert.equal((await captureOf('image/jpeg', jpegOf({ main: [tag] }))).orientation, 6),
    );
  }

  it('from a second block after an empty one', async () => {
    const bytes = makeJpegWith([exifSegment(buildExif({})), exifSegment(makeExif({ orientation: 8 }))]);
    assert.equal((await captureOf('image/jpeg', bytes)).orientation, 8);
  });

  it('from the properties of a HEIC, which override its EXIF block', async () => {
    const exif = makeExif({ orientation: 6 });
    for (const [options, expected] of [
      [{ turns: 3, exif }, 6],
      [{ turns: 0, exif }, 1],
      [{ turns: 1 }, 8],
      [{ turns: 2 }, 3],
      [{ mirrorAxis: 1 }, 2],
      [{ mirrorAxis: 0 }, 4],
      [{ turns: 3, mirrorAxis: 1 }, 5],
    ] as const) {
      assert.equal(
        (await captureOf('image/heic', makeHeic(options))).orientation,
        expected,
        JSON.stringify(options),
      );
    }
  });
});

describe('a time is read from a movie', () => {
  const SECONDS = 2_082_844_800 + Date.parse('2026-07-06T05:04:03Z') / 1_000;
  const UTC = '2026-07-06T05:04:03Z';
  const header = Buffer.alloc(100);
  header.writeUInt32BE(SECONDS, 4);
  const movieOf = (...boxes: readonly Buffer[]) => box('moov', box('mvhd', Buffer.alloc(100)), ...boxes);
  const day = (text: string) => box('\xa9day', Buffer.from([0, text.length, 0, 0]), Buffer.from(text));
  const listed = (text: string) =>
    box('ilst', box('\xa9day', box('data', Buffer.alloc(8), Buffer.from(text))));
  const many = Array.from({ length: 60 }, () => box('free', Buffer.alloc(8)));
  const element = (id: string, content: Buffer) =>
    Buffer.concat([Buffer.from(id, 'hex'), Buffer.from([0x80 | content.length]), content]);
  const nanoseconds = Buffer.alloc(8);
  nanoseconds.writeBigInt64BE(BigInt(Date.parse(UTC) / 1_000 - 978_307_200) * 1_000_000_000n);
  const chunk = (type: string, content: Buffer) =>
    Buffer.concat([Buffer.from(type), little(4, content.length), content, Buffer.alloc(content.length % 2)]);
  const avi = (...chunks: readonly Buffer[]) => Buffer.concat([Buffer.from('RIFF\0\0\0\0AVI '), ...chunks]);
  const asf = Buffer.alloc(30 + 80);
  asf.write('a1dcab8c47a9cf118ee400c00c205365', 30, 'hex');
  asf.writeBigUInt64LE(80n, 46);
  asf.writeBigUInt64LE(BigInt(Date.parse(UTC) / 1_000 + 11_644_473_600) * 10_000_000n, 30 + 48);

  for (const [what, type, bytes, expected] of [
    ['of a track only', 'video/mp4', movieOf(box('trak', box('tkhd', header))), UTC],
    ['of the media of a track', 'video/mp4', movieOf(box('trak', box('mdia', box('mdhd', header)))), UTC],
    ['that counts from 1970', 'video/mp4', makeMovie(Date.parse(UTC) / 1_000), UTC],
    ['behind many boxes', 'video/mp4', Buffer.concat([...many, makeMovie(SECONDS)]), UTC],
    ['as a text', 'video/quicktime', movieOf(box('udta', day('2026-07-06T07:04:03+0200'))), IN_XMP],
    ['as a day', 'video/quicktime', movieOf(box('udta', day('2026-07-06'))), '2026-07-06T00:00:00'],
    [
      'in a list of user data',
      'video/mp4',
      movieOf(box('udta', box('meta', Buffer.alloc(4), box('hdlr', Buffer.alloc(24)), listed(IN_XMP)))),
      IN_XMP,
    ],
    [
      'of Matroska',
      'video/x-matroska',
      Buffer.concat([
        element('1a45dfa3', Buffer.alloc(4)),
        element('18538067', element('1549a966', element('4461', nanoseconds))),
      ]),
      UTC,
    ],
    [
      'in the header of AVI',
      'video/x-msvideo',
      avi(
        chunk(
          'LIST',
          Buffer.concat([Buffer.from('hdrl'), chunk('IDIT', Buffer.from('Mon Jul 06 07:04:03 2026\n\0'))]),
        ),
      ),
      TIME,
    ],
    [
      'after the pictures of AVI',
      'video/x-msvideo',
      avi(
        chunk('LIST', Buffer.concat([Buffer.from('movi'), Buffer.alloc(500)])),
        chunk('LIST', Buffer.concat([Buffer.from('INFO'), chunk('ICRD', Buffer.from('2026-07-06'))])),
      ),
      '2026-07-06T00:00:00',
    ],
    ['of ASF', 'video/x-ms-asf', asf, UTC],
  ] as const) {
    it(what, async () => assert.equal(await timeIn(type, bytes), expected));
  }
});
