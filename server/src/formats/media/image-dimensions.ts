import type { RangedBytes } from '../ranged-bytes.ts';
import type { ImageDimensions } from './dimensions.ts';
import { FIXED_HEADER_BYTES, FIXED_HEADERS } from './fixed-headers.ts';
import { findInHeif } from './heif-dimensions.ts';

const MAX_SIDE_PIXELS = 2 ** 31 - 1;

/**
 * Finds the size that a picture of the type declares; undefined when it declares none or the format is not
 * supported. No pixel is decoded, so a huge declared size costs nothing. The time is linear in the few bytes
 * that are read, whatever they contain. SVG is not supported: it is a document, whose size depends on the
 * page.
 *
 * @param type as the first bytes of the file say, not its name: see `media-signatures.ts`
 */
export async function findDimensions(type: string, bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const found = await find(type, bytes);
  return found !== undefined && isSide(found.width) && isSide(found.height) ? found : undefined;
}

function isSide(pixels: number): boolean {
  return Number.isSafeInteger(pixels) && pixels > 0 && pixels <= MAX_SIDE_PIXELS;
}

const HEIF_TYPES: readonly string[] = ['image/avif', 'image/heic', 'image/heif'];

async function find(type: string, bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  if (type === 'image/jpeg') return await findInJpeg(bytes);
  if (type === 'image/tiff') return await findInTiff(bytes);
  if (HEIF_TYPES.includes(type)) return await findInHeif(bytes);
  const read = FIXED_HEADERS[type];
  if (read === undefined) return undefined;
  const header = Buffer.alloc(FIXED_HEADER_BYTES);
  header.set((await bytes.read(0, FIXED_HEADER_BYTES)) ?? []);
  return read(header);
}

/** Fill bytes between segments count as well. */
const MAX_SEGMENTS = 2_000;

/** Goes from segment to segment until the one that begins the frame, however much metadata is before it. */
async function findInJpeg(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  for (let place = 2, steps = 0; steps < MAX_SEGMENTS; steps += 1) {
    const segment = await bytes.read(place, 9);
    if (segment === undefined || segment.length < 9) return undefined;
    const view = viewOf(segment);
    const marker = view.getUint8(1);
    if (view.getUint8(0) !== 0xff) return undefined;
    if (marker === 0xff) place += 1;
    else if (isFrame(marker)) return { height: view.getUint16(5), width: view.getUint16(7) };
    // What follows the start of a scan is compressed data, without a length.
    else if (marker === 0xda || marker === 0xd9) return undefined;
    else place += hasNoLength(marker) ? 2 : 2 + view.getUint16(2);
  }
  return undefined;
}

/** The markers of tables lie between those of frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function hasNoLength(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

const WIDTH_TAG = 256;
const HEIGHT_TAG = 257;
const MAX_TAGS = 512;

/** Reads the first directory of tags, which may be anywhere in the file. */
async function findInTiff(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const header = await bytes.read(0, 16);
  if (header === undefined || header.length < 16) return undefined;
  const isLittle = header[0] === 0x49;
  const start = viewOf(header);
  const isBig = start.getUint16(2, isLittle) === 43;
  const place = isBig ? Number(start.getBigUint64(8, isLittle)) : start.getUint32(4, isLittle);
  const [countBytes, tagBytes, valueAt] = isBig ? [8, 20, 12] : [2, 12, 8];
  const directory = await bytes.read(place, countBytes + MAX_TAGS * tagBytes);
  if (directory === undefined || directory.length < countBytes) return undefined;
  const view = viewOf(directory);
  const declaredTags = isBig ? Number(view.getBigUint64(0, isLittle)) : view.getUint16(0, isLittle);
  const availableTags = Math.floor((directory.length - countBytes) / tagBytes);
  const sides = new Map<number, number>();
  for (let index = 0; index < Math.min(declaredTags, availableTags); index += 1) {
    const tag = countBytes + index * tagBytes;
    const value = readSide(view, tag + valueAt, view.getUint16(tag + 2, isLittle), isLittle);
    if (value !== undefined) sides.set(view.getUint16(tag, isLittle), value);
  }
  return { width: sides.get(WIDTH_TAG) ?? 0, height: sides.get(HEIGHT_TAG) ?? 0 };
}

/** Reads a 16-bit, 32-bit or 64-bit number; undefined for values of other types. */
function readSide(view: DataView, place: number, type: number, isLittle: boolean): number | undefined {
  if (type === 3) return view.getUint16(place, isLittle);
  if (type === 4) return view.getUint32(place, isLittle);
  return type === 16 ? Number(view.getBigUint64(place, isLittle)) : undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
