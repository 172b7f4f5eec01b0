import { crc32, deflateRawSync, deflateSync, gzipSync, constants as zlib } from 'node:zlib';
import sharp from 'sharp';
import { makeHeic } from './heic.ts';
import { makeHeif, makeJpeg, makeTiff } from './media-files.ts';
import { AVIF, GIF, makePng, SVG, WEBP } from './pictures.ts';

/** The colours of the quarters of a picture, in the order of reading. */
export const QUARTERS = [
  [200, 60, 60],
  [90, 160, 80],
  [70, 80, 150],
  [240, 240, 240],
] as const;

export const WIDTH = 400;
export const HEIGHT = 200;

type Pixels = {
  readonly width: number;
  readonly height: number;
  readonly at: (x: number, y: number) => readonly number[];
};

const upright: Pixels = {
  width: WIDTH,
  height: HEIGHT,
  at: (x, y) => QUARTERS[(y < HEIGHT / 2 ? 0 : 2) + (x < WIDTH / 2 ? 0 : 1)] ?? [],
};

/** Stores a picture such that the EXIF orientation shows it upright (EXIF 2.32, tag 0x0112). */
function storedWith(orientation: number): Pixels {
  const { width, height, at } = upright;
  const mirroredX = (x: number) => width - 1 - x;
  const mirroredY = (y: number) => height - 1 - y;
  const byOrientation: Record<number, Pixels['at']> = {
    1: at,
    2: (x, y) => at(mirroredX(x), y),
    3: (x, y) => at(mirroredX(x), mirroredY(y)),
    4: (x, y) => at(x, mirroredY(y)),
    5: (x, y) => at(y, x),
    6: (x, y) => at(mirroredX(y), x),
    7: (x, y) => at(mirroredX(y), mirroredY(x)),
    8: (x, y) => at(y, mirroredY(x)),
  };
  const isTurned = orientation >= 5;
  return {
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    at: byOrientation[orientation] ?? at,
  };
}

function toSharp({ width, height, at }: Pixels, alpha?: number) {
  const channels = alpha === undefined ? 3 : 4;
  const data = Buffer.alloc(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      data.set([...at(x, y), ...(alpha === undefined ? [] : [alpha])], (y * width + x) * channels);
    }
  }
  return sharp(data, { raw: { width, height, channels } });
}

export function orientedJpeg(orientation: number): Promise<Buffer> {
  return toSharp(storedWith(orientation)).jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer();
}

const plain = () => toSharp(upright);

/** Two frames, of which the first has the quarters. */
async function animated(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = [await plain().png().toBuffer(), await plain().negate().png().toBuffer()];
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/** Pictures with four quarters, each in another format. */
export const SOUND_PICTURES: Readonly<Record<string, () => Promise<Buffer>>> = {
  'a JPEG': () => plain().jpeg({ quality: 95 }).toBuffer(),
  'a progressive JPEG': () => plain().jpeg({ quality: 95, progressive: true }).toBuffer(),
  'a JPEG in CMYK': () => plain().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer(),
  'a JPEG in Display P3': () => plain().withIccProfile('p3').jpeg({ quality: 95 }).toBuffer(),
  'a PNG': () => plain().png().toBuffer(),
  'an interlaced PNG': () => plain().png({ progressive: true }).toBuffer(),
  'a PNG with a palette': () => plain().png({ palette: true }).toBuffer(),
  'a PNG of 16 bits': () => plain().toColourspace('rgb16').png().toBuffer(),
  'a GIF': () => plain().gif().toBuffer(),
  'an animated GIF': () => animated('gif'),
  'a WebP': () => plain().webp({ quality: 95 }).toBuffer(),
  'an animated WebP': () => animated('webp'),
  'an AVIF': () => plain().avif({ quality: 90 }).toBuffer(),
  'a HEIC': async () => makeHeic(),
  'a TIFF': () => plain().tiff({ compression: 'lzw' }).toBuffer(),
  'a TIFF of 16 bits': () => plain().toColourspace('rgb16').tiff({ compression: 'deflate' }).toBuffer(),
  'a TIFF in tiles': () => plain().tiff({ tile: true, compression: 'lzw' }).toBuffer(),
};

/** Files that are not pictures, or that must not be decoded. */
export const REFUSED_FILES: Readonly<Record<string, () => Buffer>> = {
  'an SVG': () => SVG,
  'a compressed SVG': () => gzipSync(SVG),
  'a text': () => Buffer.from('This is not a picture.\n'.repeat(100)),
  'a PDF': () =>
    Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'),
  'a page of HTML': () => Buffer.from('<!DOCTYPE html><script>alert(1)</script>'),
  'a HEIC without pixels': () => makeHeif(['heic', 'mif1'], [[4_000, 3_000]]),
  'a HEIC of 900 megapixels': () => makeHeic({ width: 30_000, height: 30_000 }),
  zeros: () => Buffer.alloc(10_000),
  'a JPEG of 4 gigapixels': () => makeJpeg(65_000, 65_000),
  'a PNG of 400 megapixels': () => bitmapPng(20_000, 20_000),
  'a PNG just above 200 megapixels': () => bitmapPng(14_000, 14_300),
  'a GIF of 4 gigapixels': () => gifOf(65_535, 65_535),
  'a WebP of 268 megapixels': () => webpOf(16_384, 16_384),
  'an AVIF of 900 megapixels': () => avifOf(30_000, 30_000),
  'a TIFF of 3.6 gigapixels': () => makeTiff(60_000, 60_000, 4),
};

/** 196 megapixels in 24 KB, black. */
export const largestPng = () => bitmapPng(14_000, 14_000);

/** A PNG whose text takes 100 MB when it is decompressed. */
export const pngWithLargeText = () => {
  const png = makePng(20, 20);
  const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(100_000_000))]);
  return Buffer.concat([png.subarray(0, 33), chunkOf('zTXt', text), png.subarray(33)]);
};

/** A PNG of one bit for each pixel. */
function bitmapPng(width: number, height: number): Buffer {
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return pngOf({ width, height, bits: 1, colour: 0, isInterlaced: false }, deflateSync(rows));
}

/** A PNG that takes 1.6 GB: interlaced, so all pixels have to be in memory, and each takes eight bytes. */
export function hugePng(): Buffer {
  const [width, height] = [14_000, 14_200];
  // Repeats one compressed megabyte, because compressing everything would take seconds.
  const block = deflateRawSync(Buffer.alloc(1024 ** 2), { finishFlush: zlib.Z_FULL_FLUSH });
  const blocks = Array.from({ length: 1_600 }, () => block);
  const data = Buffer.concat([Buffer.from('7801', 'hex'), ...blocks]);
  return pngOf({ width, height, bits: 16, colour: 6, isInterlaced: true }, data);
}

function pngOf(
  head: { width: number; height: number; bits: number; colour: number; isInterlaced: boolean },
  data: Buffer,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(head.width, 0);
  header.writeUInt32BE(head.height, 4);
  header.set([head.bits, head.colour, 0, 0, head.isInterlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunkOf('IHDR', header),
    chunkOf('IDAT', data),
    chunkOf('IEND', Buffer.alloc(0)),
  ]);
}

function chunkOf(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

/** The size of a GIF is that of its screen, and each frame has its own. */
function gifOf(width: number, height: number): Buffer {
  const changed = Buffer.from(GIF);
  for (const at of [6, changed.indexOf(0x2c, 13) + 5]) {
    changed.writeUInt16LE(width, at);
    changed.writeUInt16LE(height, at + 2);
  }
  return changed;
}

/** A lossless WebP that announces that size (RFC 9649, section 3.4). */
function webpOf(width: number, height: number): Buffer {
  const changed = Buffer.from(WEBP);
  changed.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  return changed;
}

function avifOf(width: number, height: number): Buffer {
  const changed = Buffer.from(AVIF);
  const at = changed.indexOf('ispe') + 8;
  changed.writeUInt32BE(width, at);
  changed.writeUInt32BE(height, at + 4);
  return changed;
}
