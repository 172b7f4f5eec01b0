import type { RangedBytes } from '../ranged-bytes.ts';
import { boxesIn, findInside, readTopBox } from './boxes.ts';
import { isHeif, isTiff } from './containers.ts';
import { jpegSegments } from './jpeg-segments.ts';
import { findCanonBlocks, findMinoltaBlock } from './raw-places.ts';
import { findInTiff, type ImageDimensions } from './tiff-dimensions.ts';

const MAX_SIDE_PIXELS = 2 ** 31 - 1;

/**
 * Finds the size that a picture declares; undefined when it declares none or the format is not supported. No
 * pixel is decoded, so a huge declared size costs nothing. The time is always linear in the few bytes that
 * are read. SVG is not supported: it is a document, whose size depends on the page.
 *
 * @param type the type that the first bytes show, not the name: see `media-signatures.ts`
 */
export async function findDimensions(type: string, bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const found = await find(type, bytes);
  return found !== undefined && isSide(found.width) && isSide(found.height) ? found : undefined;
}

function isSide(pixels: number): boolean {
  return Number.isSafeInteger(pixels) && pixels > 0 && pixels <= MAX_SIDE_PIXELS;
}

async function find(type: string, bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  if (type === 'image/jpeg') return await findInJpeg(bytes);
  if (isTiff(type)) return await findInTiff(type, bytes);
  if (isHeif(type)) return await findInHeif(bytes);
  const readRaw = RAW_DIMENSIONS[type];
  if (readRaw !== undefined) return await readRaw(bytes);
  const read = FIXED_HEADERS[type];
  if (read === undefined) return undefined;
  const header = Buffer.alloc(FIXED_HEADER_BYTES);
  header.set((await bytes.read(0, FIXED_HEADER_BYTES)) ?? []);
  return read(header);
}

/** A JPEG has its size in the segment that begins the frame, behind any amount of metadata. */
async function findInJpeg(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  for await (const { marker, start } of jpegSegments(bytes)) {
    if (!isFrame(marker)) continue;
    const frame = Buffer.from((await bytes.read(start, 5)) ?? []);
    return frame.length < 5 ? undefined : { height: frame.readUInt16BE(1), width: frame.readUInt16BE(3) };
  }
  return undefined;
}

/** Whether the marker begins a frame. The three exceptions in the range belong to other segments. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/**
 * HEIC and AVIF pictures are HEIF files. Their sizes are in `ispe` boxes inside `meta` / `iprp` / `ipco`: one
 * for the whole picture, others for its tiles and its thumbnail. The largest size is the picture's. Each box
 * is visited at most once for each of the four levels, so the time is linear.
 */
async function findInHeif(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const meta = await readTopBox(bytes, 'meta');
  if (meta === undefined) return undefined;
  // `meta` begins with its version and flags.
  const properties = findInside(meta.subarray(4), ['iprp', 'ipco']);
  let largest: ImageDimensions | undefined;
  for (const { type, content } of properties === undefined ? [] : boxesIn(properties)) {
    if (type !== 'ispe' || content.length < 12) continue;
    const [width, height] = [content.readUInt32BE(4), content.readUInt32BE(8)];
    if (largest === undefined || width * height > largest.width * largest.height) largest = { width, height };
  }
  return largest;
}

/** The number of first bytes that the `FIXED_HEADERS` readers need. */
const FIXED_HEADER_BYTES = 64;

/**
 * Readers for formats with the size at a fixed position near the beginning. Each gets exactly {@link
 * FIXED_HEADER_BYTES}, padded with zeros if the file is shorter. It returns undefined if the bytes have
 * another format.
 */
const FIXED_HEADERS: Readonly<Record<string, (header: Buffer) => ImageDimensions | undefined>> = {
  'image/png': readPng,
  'image/gif': readGif,
  'image/webp': readWebp,
  'image/bmp': readBmp,
};

function readGif(header: Buffer): ImageDimensions | undefined {
  if (!isAt(header, 0, 'GIF8')) return undefined;
  return { width: header.readUInt16LE(6), height: header.readUInt16LE(8) };
}

/** The chunk IHDR comes first, except in pictures of iPhone apps, where it follows a chunk of 16 bytes. */
function readPng(header: Buffer): ImageDimensions | undefined {
  const place = isAt(header, 12, 'CgBI') ? 28 : 12;
  if (!isAt(header, place, 'IHDR')) return undefined;
  return { width: header.readUInt32BE(place + 4), height: header.readUInt32BE(place + 8) };
}

/** The first chunk shows whether the picture is lossy, lossless or extended (RFC 9649, section 2). */
function readWebp(header: Buffer): ImageDimensions | undefined {
  if (isAt(header, 12, 'VP8X')) {
    return { width: header.readUIntLE(24, 3) + 1, height: header.readUIntLE(27, 3) + 1 };
  }
  if (isAt(header, 12, 'VP8L') && header[20] === 0x2f) {
    const bits = header.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (isAt(header, 12, 'VP8 ') && isAt(header, 23, '\x9d\x01\x2a')) {
    return { width: header.readUInt16LE(26) & 0x3fff, height: header.readUInt16LE(28) & 0x3fff };
  }
  return undefined;
}

/** The oldest version has 16-bit sides. A negative height means that the first row is at the top. */
function readBmp(header: Buffer): ImageDimensions | undefined {
  if (!isAt(header, 0, 'BM')) return undefined;
  if (header.readUInt32LE(14) === 12) {
    return { width: header.readUInt16LE(18), height: header.readUInt16LE(20) };
  }
  return { width: header.readInt32LE(18), height: Math.abs(header.readInt32LE(22)) };
}

function isAt(header: Buffer, place: number, letters: string): boolean {
  return header.toString('latin1', place, place + letters.length) === letters;
}

/** Readers for raw files that are not based on TIFF. */
const RAW_DIMENSIONS: Readonly<Record<string, (bytes: RangedBytes) => Promise<ImageDimensions | undefined>>> =
  {
    'image/x-canon-cr3': findInCanon,
    'image/x-fuji-raf': findInFuji,
    'image/x-minolta-mrw': findInMinolta,
  };

async function findInCanon(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const [first] = await findCanonBlocks(bytes);
  return first && (await findInTiff('image/tiff', bytes.part(first)));
}

/** The tags of the size without and with the border that cameras cut off. */
const FUJI_SIZES = [0x0111, 0x0100];
const MAX_FUJI_TAGS = 100;

/** The head of the file has the position of a list of tags, in big-endian order. */
async function findInFuji(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const at = (await bytes.readExactly(92, 4))?.readUInt32BE(0);
  const count = at === undefined ? undefined : (await bytes.readExactly(at, 4))?.readUInt32BE(0);
  if (at === undefined || count === undefined) return undefined;
  const sizes = new Map<number, ImageDimensions>();
  for (let index = 0, place = at + 4; index < Math.min(count, MAX_FUJI_TAGS); index += 1) {
    const tag = await bytes.readExactly(place, 8);
    if (tag === undefined) break;
    sizes.set(tag.readUInt16BE(0), { height: tag.readUInt16BE(4), width: tag.readUInt16BE(6) });
    place += 4 + tag.readUInt16BE(2);
  }
  const found = FUJI_SIZES.find((tag) => sizes.has(tag));
  return found === undefined ? undefined : sizes.get(found);
}

async function findInMinolta(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const place = await findMinoltaBlock(bytes, 'PRD');
  // The sides follow eight bytes of a version and the size of the sensor.
  const sides = place && (await bytes.readExactly(place.start + 12, 4));
  return sides && { height: sides.readUInt16BE(0), width: sides.readUInt16BE(2) };
}
