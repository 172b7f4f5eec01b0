import { JPEG } from './pictures.ts';

/**
 * A baseline JPEG of that size, with `padding` bytes of metadata before the frame; `orientation` as in EXIF.
 */
export function makeJpeg(
  width: number,
  height: number,
  { orientation, padding = 0 }: { orientation?: number; padding?: number } = {},
): Buffer<ArrayBuffer> {
  const segments: Buffer[] = [Buffer.from('ffd8', 'hex')];
  if (orientation !== undefined) {
    const exif = Buffer.from(
      '457869660000' + '4d4d002a00000008' + '0001' + '011200030000000100000000',
      'hex',
    );
    exif.writeUInt16BE(orientation, exif.length - 4);
    segments.push(segment(0xe1, exif));
  }
  for (let remaining = padding; remaining > 0; remaining -= 65_000)
    segments.push(segment(0xe2, Buffer.alloc(Math.min(remaining, 65_000))));
  const frame = Buffer.from('080000000001011100', 'hex');
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  segments.push(segment(0xc0, frame), JPEG.subarray(JPEG.indexOf(Buffer.from('ffda', 'hex'))));
  return Buffer.concat(segments);
}

/** A TIFF with its directory of tags after `pixelBytes` bytes. */
export function makeTiff(
  width: number,
  height: number,
  pixelBytes: number,
  isBig = false,
): Buffer<ArrayBuffer> {
  const place = (isBig ? 16 : 8) + pixelBytes;
  const header = isBig
    ? Buffer.from(`49492b0008000000${'0'.repeat(16)}`, 'hex')
    : Buffer.from('49492a0000000000', 'hex');
  if (isBig) header.writeBigUInt64LE(BigInt(place), 8);
  else header.writeUInt32LE(place, 4);
  const tags = [tagOf(256, width, isBig), tagOf(257, height, isBig)];
  const count = Buffer.alloc(isBig ? 8 : 2);
  count.writeUInt8(tags.length);
  return Buffer.concat([header, Buffer.alloc(pixelBytes, 1), count, ...tags, Buffer.alloc(8)]);
}

/** The boxes of a HEIF or AVIF picture that declare the sizes of the picture and of its tiles. */
export function makeHeif(
  brands: readonly string[],
  sizes: readonly (readonly [number, number])[],
): Buffer<ArrayBuffer> {
  const [major = '', ...others] = brands;
  const ispe = sizes.map(([width, height]) => {
    const content = Buffer.alloc(12);
    content.writeUInt32BE(width, 4);
    content.writeUInt32BE(height, 8);
    return box('ispe', content);
  });
  const iprp = box('iprp', box('ipco', ...ispe));
  return Buffer.concat([
    box('ftyp', Buffer.from(`${major}\0\0\0\0${others.join('')}`, 'latin1')),
    box('meta', Buffer.alloc(4), iprp),
  ]);
}

export function makeBmp(width: number, height: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(58);
  bytes.write('BM');
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  return bytes;
}

/** A WAV file of silence, with 8,000 one-byte samples per second. */
export function makeWav(seconds: number): Buffer<ArrayBuffer> {
  const rate = 8_000;
  const size = rate * seconds;
  const header = Buffer.alloc(44);
  header.write('RIFF');
  header.writeUInt32LE(36 + size, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  // Uncompressed, one channel; then the bytes per second and per sample.
  header.set([1, 0, 1, 0], 20);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.set([1, 0, 8, 0], 32);
  header.write('data', 36);
  header.writeUInt32LE(size, 40);
  return Buffer.concat([header, Buffer.alloc(size, 0x80)]);
}

function tagOf(tag: number, value: number, isBig: boolean): Buffer {
  const bytes = Buffer.alloc(isBig ? 20 : 12);
  bytes.writeUInt16LE(tag);
  bytes.writeUInt16LE(4, 2);
  bytes.writeUInt8(1, 4);
  bytes.writeUInt32LE(value, isBig ? 12 : 8);
  return bytes;
}

/** A box of HEIF and MP4. */
export function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}
