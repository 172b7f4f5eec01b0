import { imageSize } from 'image-size';
import type { RangedBytes } from '../ranged-bytes.ts';

/** In pixels, as they are stored: a picture that is to be turned when it is shown is not. */
export interface ImageDimensions {
  readonly width: number;
  readonly height: number;
}

/** These say how large they are near their beginning. The largest number is for what cameras write before it. */
const HEAD_BYTES: Readonly<Record<string, number>> = {
  'image/png': 64,
  'image/gif': 64,
  'image/webp': 64,
  'image/bmp': 64,
  'image/avif': 65_536,
  'image/heic': 65_536,
  'image/heif': 65_536,
  // Its first tag. Of a longer one the reader would try every beginning to every end.
  'image/svg+xml': 8_192,
};

const MOST_PIXELS_A_SIDE = 2 ** 31;

/**
 * How large a picture of that type says it is; undefined where it does not, or nobody here can read it. Nothing is ever
 * decoded, so what it says costs nothing.
 */
export async function findDimensions(type: string, bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const found = await find(type, bytes);
  return found !== undefined && isSide(found.width) && isSide(found.height) ? found : undefined;
}

function isSide(pixels: number): boolean {
  return Number.isSafeInteger(pixels) && pixels > 0 && pixels < MOST_PIXELS_A_SIDE;
}

async function find(type: string, bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  if (type === 'image/jpeg') return await findInJpeg(bytes);
  if (type === 'image/tiff') return await findInTiff(bytes);
  const headBytes = HEAD_BYTES[type];
  const head = headBytes === undefined ? undefined : await bytes.read(0, headBytes);
  if (head === undefined) return undefined;
  try {
    // A copy in memory of its own: the reader looks past the end of a view, into what lies behind it.
    const { width, height } = imageSize(new Uint8Array(head));
    return { width, height };
  } catch {
    return undefined;
  }
}

/** Fill bytes between them count too. */
const MOST_SEGMENTS = 2_000;

/** Goes from segment to segment to the one that begins the frame, whatever metadata lies before it. */
async function findInJpeg(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  for (let place = 2, steps = 0; steps < MOST_SEGMENTS; steps += 1) {
    const segment = await bytes.read(place, 9);
    if (segment === undefined || segment.length < 9) return undefined;
    const view = viewOf(segment);
    const marker = view.getUint8(1);
    if (view.getUint8(0) !== 0xff) return undefined;
    if (marker === 0xff) place += 1;
    else if (isFrame(marker)) return { height: view.getUint16(5), width: view.getUint16(7) };
    // Behind the beginning of a scan there are no more segments of a length.
    else if (marker === 0xda || marker === 0xd9) return undefined;
    else place += hasNoLength(marker) ? 2 : 2 + view.getUint16(2);
  }
  return undefined;
}

/** Tables have markers among those of frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function hasNoLength(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

const WIDTH_TAG = 256;
const HEIGHT_TAG = 257;
const MOST_TAGS = 512;

/** The first directory of tags, which may lie anywhere in the file. */
async function findInTiff(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const header = await bytes.read(0, 16);
  if (header === undefined || header.length < 16) return undefined;
  const isLittle = header[0] === 0x49;
  const start = viewOf(header);
  const isBig = start.getUint16(2, isLittle) === 43;
  const place = isBig ? Number(start.getBigUint64(8, isLittle)) : start.getUint32(4, isLittle);
  const [countBytes, tagBytes, valueAt] = isBig ? [8, 20, 12] : [2, 12, 8];
  const directory = await bytes.read(place, countBytes + MOST_TAGS * tagBytes);
  if (directory === undefined || directory.length < countBytes) return undefined;
  const view = viewOf(directory);
  const told = isBig ? Number(view.getBigUint64(0, isLittle)) : view.getUint16(0, isLittle);
  const there = Math.floor((directory.length - countBytes) / tagBytes);
  const sides = new Map<number, number>();
  for (let index = 0; index < Math.min(told, there); index += 1) {
    const tag = countBytes + index * tagBytes;
    const value = readSide(view, tag + valueAt, view.getUint16(tag + 2, isLittle), isLittle);
    if (value !== undefined) sides.set(view.getUint16(tag, isLittle), value);
  }
  return { width: sides.get(WIDTH_TAG) ?? 0, height: sides.get(HEIGHT_TAG) ?? 0 };
}

/** A short, long or 64-bit number; undefined for what is none. */
function readSide(view: DataView, place: number, type: number, isLittle: boolean): number | undefined {
  if (type === 3) return view.getUint16(place, isLittle);
  if (type === 4) return view.getUint32(place, isLittle);
  return type === 16 ? Number(view.getBigUint64(place, isLittle)) : undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
