import { crc32 } from 'node:zlib';
import { box, makeJpeg, makeTiff } from './media-files.ts';
import { makePng } from './pictures.ts';

interface ExifValues {
  readonly orientation?: number;
  /** As in EXIF: `2026:07:06 07:04:03`. */
  readonly taken?: string;
  readonly zone?: string;
  readonly isLittle?: boolean;
}

/** An EXIF block: a directory of tags that refers to a second one, which refers to texts. */
export function makeExif({
  orientation = 1,
  taken,
  zone,
  isLittle = false,
}: ExifValues): Buffer<ArrayBuffer> {
  const short = (value: number) => number(2, value, isLittle);
  const long = (value: number) => number(4, value, isLittle);
  const tag = (id: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([short(id), short(type), long(count), value, Buffer.alloc(4 - value.length)]);
  const texts = [
    ...(taken === undefined ? [] : [{ id: 0x9003, text: Buffer.from(`${taken}\0`) }]),
    ...(zone === undefined ? [] : [{ id: 0x9011, text: Buffer.from(`${zone}\0`) }]),
  ];
  const detailsAt = 8 + 2 + 2 * 12 + 4;
  let textAt = detailsAt + 2 + texts.length * 12 + 4;
  const details = texts.map(({ id, text }) => {
    const entry = tag(id, 2, text.length, text.length <= 4 ? text : long(textAt));
    if (text.length > 4) textAt += text.length;
    return entry;
  });
  return Buffer.concat([
    Buffer.from(isLittle ? 'II' : 'MM'),
    short(42),
    long(8),
    ...[short(2), tag(0x0112, 3, 1, short(orientation)), tag(0x8769, 4, 1, long(detailsAt)), long(0)],
    ...[short(texts.length), ...details, long(0)],
    ...texts.filter(({ text }) => text.length > 4).map(({ text }) => text),
  ]);
}

/** A tag: its number, type and values. By default the count is the number of bytes. */
export type ExifTag = readonly [id: number, type: number, values: Buffer | string, count?: number];

/** An EXIF block with any tags, in little-endian order. The first directory refers to the others. */
export function buildExif(
  { main = [], details, gps }: Partial<Record<'main' | 'details' | 'gps', readonly ExifTag[]>>,
  head = 'II*\0',
): Buffer<ArrayBuffer> {
  const blocks: Buffer[] = [Buffer.from(head, 'latin1'), little(4, 8)];
  const lists = [main, details, gps].filter((list) => list !== undefined);
  // The directories are stored one after another, each followed by its values.
  const references = (at: number): readonly ExifTag[] => {
    const [detailsAt, gpsAt] = [at, at + (details === undefined ? 0 : sizeOf(details))];
    return [
      ...(details === undefined ? [] : [[0x8769, 4, little(4, detailsAt), 1] as const]),
      ...(gps === undefined ? [] : [[0x8825, 4, little(4, gpsAt), 1] as const]),
    ];
  };
  const first = [...main, ...references(8 + sizeOf([...main, ...references(0)]))];
  let at = 8;
  for (const list of [first, ...lists.slice(1)]) {
    blocks.push(encodeDirectory(list, at));
    at += sizeOf(list);
  }
  return Buffer.concat(blocks);
}

function sizeOf(tags: readonly ExifTag[]): number {
  return encodeDirectory(tags, 0).length;
}

function encodeDirectory(tags: readonly ExifTag[], at: number): Buffer {
  let end = at + 2 + tags.length * 12 + 4;
  const outside: Buffer[] = [];
  const entries = tags.map(([id, type, values, count]) => {
    const content = typeof values === 'string' ? Buffer.from(`${values}\0`, 'latin1') : values;
    const head = [little(2, id), little(2, type), little(4, count ?? content.length)];
    if (content.length <= 4) return Buffer.concat([...head, content, Buffer.alloc(4 - content.length)]);
    outside.push(content);
    end += content.length;
    return Buffer.concat([...head, little(4, end - content.length)]);
  });
  return Buffer.concat([little(2, tags.length), ...entries, little(4, 0), ...outside]);
}

export function little(bytes: 2 | 4, ...values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => number(bytes, value, true)));
}

/** A JPEG with these segments before its frame. */
export function makeJpegWith(
  segments: readonly (readonly [marker: number, content: Buffer])[],
): Buffer<ArrayBuffer> {
  const jpeg = makeJpeg(40, 30);
  const encoded = segments.map(([marker, content]) =>
    Buffer.concat([Buffer.from([0xff, marker]), short(content.length + 2), content]),
  );
  return Buffer.concat([jpeg.subarray(0, 2), ...encoded, jpeg.subarray(2)]);
}

/** A chunk of a PNG. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), content]);
  return Buffer.concat([number(4, content.length, false), typed, number(4, crc32(typed), false)]);
}

/** A PNG with these chunks before its end. */
export function makePngWith(...chunks: readonly Buffer[]): Buffer<ArrayBuffer> {
  const png = makePng(30, 20);
  return Buffer.concat([png.subarray(0, -12), ...chunks, png.subarray(-12)]);
}

/** A JPEG with an EXIF block after `padding` bytes of other metadata. */
export function makeJpegWithExif(exif: Buffer, padding = 0): Buffer<ArrayBuffer> {
  const jpeg = makeJpeg(40, 30, { padding });
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  const at = padding === 0 ? 2 : jpeg.indexOf(Buffer.from('ffc0', 'hex'));
  return Buffer.concat([jpeg.subarray(0, at), head, content, jpeg.subarray(at)]);
}

/** A PNG with an EXIF block after its pixels. */
export function makePngWithExif(exif: Buffer): Buffer<ArrayBuffer> {
  return makePngWith(pngChunk('eXIf', exif));
}

/** @param header bytes that some programs write before the block */
export function makeWebpWithExif(exif: Buffer, header = ''): Buffer<ArrayBuffer> {
  const pixels = Buffer.from('VP8X\x0a\0\0\0\x08\0\0\0\x2b\x01\0\x6f\x11\x01', 'latin1');
  const odd = Buffer.from('ODD \x03\0\0\0abc\0', 'latin1');
  const content = Buffer.concat([Buffer.from(header, 'latin1'), exif]);
  const chunk = Buffer.concat([Buffer.from('EXIF'), number(4, content.length, true), content]);
  const chunks = Buffer.concat([Buffer.from('WEBP'), pixels, odd, chunk]);
  return Buffer.concat([Buffer.from('RIFF'), number(4, chunks.length, true), chunks]);
}

/** A HEIC whose second item is an EXIF block. @param version of the box `iloc` */
export function makeHeicWithExif(exif: Buffer, version: 0 | 1 | 2 = 1): Buffer<ArrayBuffer> {
  const ids = (value: number) => number(version < 2 ? 2 : 4, value, false);
  const infe = (id: number, type: string) =>
    box('infe', Buffer.concat([Buffer.from('02000000', 'hex'), short(id), short(0), Buffer.from(type)]));
  const iinf = box('iinf', Buffer.alloc(4), short(2), infe(1, 'hvc1'), infe(2, 'Exif'));
  const item = Buffer.concat([number(4, 6, false), Buffer.from('Exif\0\0', 'latin1'), exif]);
  const ftyp = box('ftyp', Buffer.from('heic\0\0\0\0mif1', 'latin1'));
  const place = (id: number, extents: readonly (readonly [number, number])[]) =>
    Buffer.concat([
      ids(id),
      ...(version === 0 ? [] : [short(0)]),
      ...[short(0), short(extents.length)],
      ...extents.flatMap(([start, length]) => [number(4, start, false), number(4, length, false)]),
    ]);
  const build = (start: number) => {
    const head = Buffer.from([version, 0, 0, 0, 0x44, 0x00]);
    // The picture itself is split into two extents.
    const pieces = [
      [1, 1],
      [2, 1],
    ] as const;
    const iloc = box('iloc', head, ids(2), place(1, pieces), place(2, [[start, item.length]]));
    return Buffer.concat([ftyp, box('meta', Buffer.alloc(4), iinf, iloc)]);
  };
  const start = build(0).length + 8;
  return Buffer.concat([build(start), box('mdat', item)]);
}

/** A TIFF whose tags are those of an EXIF block. */
export function makeTiffWithExif(exif: Buffer): Buffer<ArrayBuffer> {
  return Buffer.concat([exif, makeTiff(1, 1, 100)]);
}

/**
 * A movie whose header, after its pictures, has the creation time in seconds since 1904.
 * @param options.filmed the local time as phones of Apple write it, such as `2026-07-06T07:04:03+0200`
 * @param options.trackBytes of the track before the local time
 */
export function makeMovie(
  seconds: number | bigint,
  {
    brand = 'isom',
    pictureBytes = 0,
    filmed,
    trackBytes,
    duration = 0,
  }: {
    brand?: string;
    pictureBytes?: number;
    filmed?: string;
    trackBytes?: number;
    /** In seconds. */
    duration?: number;
  } = {},
): Buffer<ArrayBuffer> {
  const isLong = typeof seconds === 'bigint';
  const header = Buffer.alloc(isLong ? 112 : 100);
  if (typeof seconds === 'bigint') {
    header[0] = 1;
    header.writeBigUInt64BE(seconds, 4);
  } else header.writeUInt32BE(seconds, 4);
  if (!isLong) {
    header.writeUInt32BE(1_000, 12);
    header.writeUInt32BE(duration * 1_000, 16);
  }
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0`, 'latin1')),
    box('mdat', Buffer.alloc(pictureBytes)),
    box(
      'moov',
      box('mvhd', header),
      ...(trackBytes === undefined ? [] : [box('trak', Buffer.alloc(trackBytes))]),
      ...(filmed === undefined ? [] : [makeMovieDate(filmed, brand)]),
    ),
  ]);
}

/** The metadata of a movie: a list of names, and their values by number. */
function makeMovieDate(filmed: string, brand: string): Buffer {
  const names = ['com.apple.quicktime.make', 'com.apple.quicktime.creationdate'].map((name) =>
    Buffer.concat([number(4, 8 + name.length, false), Buffer.from(`mdta${name}`)]),
  );
  const value = (index: number, text: string) =>
    box(
      `\0\0\0${String.fromCharCode(index)}`,
      box('data', number(4, 1, false), Buffer.alloc(4), Buffer.from(text)),
    );
  return box(
    'meta',
    Buffer.alloc(brand.startsWith('qt') ? 0 : 4),
    box('hdlr', Buffer.alloc(24)),
    box('keys', Buffer.alloc(4), number(4, names.length, false), ...names),
    box('ilst', value(1, 'Apple'), value(2, filmed)),
  );
}

function short(value: number): Buffer {
  return number(2, value, false);
}

function number(bytes: 2 | 4, value: number, isLittle: boolean): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (isLittle) buffer.writeUIntLE(value, 0, bytes);
  else buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}
