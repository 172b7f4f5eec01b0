import type { RangedBytes } from '../ranged-bytes.ts';
import { type Directory, TiffBlock } from './tiff-block.ts';

/** In pixels, as stored: the orientation from the metadata is not applied. */
export interface ImageDimensions {
  readonly width: number;
  readonly height: number;
}

const WIDTH = 256;
const HEIGHT = 257;
const SUBDIRECTORIES = 0x014a;

/** The tags of the picture's borders on the sensor in Panasonic's raw files: top, left, bottom and right. */
const BORDERS = [4, 5, 6, 7] as const;

/** Real raw files have up to four directories, for previews and the picture itself. */
const MAX_DIRECTORIES = 16;

const MAX_BIG_TAGS = 512;
const BIG_TAG_BYTES = 20;

/**
 * The size of the first picture in a TIFF. In raw files, the first directories may describe previews, so the
 * largest size counts.
 */
export async function findInTiff(type: string, bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const block = await TiffBlock.open(bytes, { start: 0, length: bytes.size });
  if (block === undefined) return await findInBigTiff(bytes);
  const first = await block.readDirectory(block.firstDirectory);
  if (first === undefined) return undefined;
  const own = (await sizeOf(first)) ?? (await sizeWithinBorders(first));
  // The first page of a document counts, even if others are larger.
  if (type === 'image/tiff' && !isPreview(await first.findNumber(254))) return own;
  return await findLargest(block, first, own);
}

/** Whether the directory describes a smaller version of another picture: its lowest type bit says so. */
function isPreview(subtype: number | undefined): boolean {
  return ((subtype ?? 0) & 1) === 1;
}

async function findLargest(
  block: TiffBlock,
  first: Directory,
  own: ImageDimensions | undefined,
): Promise<ImageDimensions | undefined> {
  let largest = own;
  const waiting = [...(await placesIn(first))];
  for (let count = 1; waiting.length > 0 && count < MAX_DIRECTORIES; count += 1) {
    const directory = await block.readDirectory(waiting.shift());
    if (directory === undefined) continue;
    const size = await sizeOf(directory);
    if (size !== undefined && areaOf(size) > areaOf(largest)) largest = size;
    waiting.push(...(await placesIn(directory)));
  }
  return largest;
}

/** The positions of the directories inside this one, and of the one after it. */
async function placesIn(directory: Directory): Promise<readonly number[]> {
  const inside = await directory.findNumbers(SUBDIRECTORIES, MAX_DIRECTORIES);
  return directory.next === undefined ? inside : [...inside, directory.next];
}

async function sizeOf(directory: Directory): Promise<ImageDimensions | undefined> {
  const [width, height] = [await directory.findNumber(WIDTH), await directory.findNumber(HEIGHT)];
  return width === undefined || height === undefined ? undefined : { width, height };
}

async function sizeWithinBorders(directory: Directory): Promise<ImageDimensions | undefined> {
  const found: number[] = [];
  for (const tag of BORDERS) found.push((await directory.findNumber(tag)) ?? 0);
  const [top = 0, left = 0, bottom = 0, right = 0] = found;
  return bottom > top && right > left ? { width: right - left, height: bottom - top } : undefined;
}

function areaOf(size: ImageDimensions | undefined): number {
  return size === undefined ? 0 : size.width * size.height;
}

/** BigTIFF has 64-bit positions, for files above 4 GB. */
async function findInBigTiff(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const header = await bytes.read(0, 16);
  if (header === undefined || header.length < 16) return undefined;
  const isLittle = header[0] === 0x49;
  const start = viewOf(header);
  if (start.getUint16(2, isLittle) !== 43) return undefined;
  const place = Number(start.getBigUint64(8, isLittle));
  const directory = await bytes.read(place, 8 + MAX_BIG_TAGS * BIG_TAG_BYTES);
  if (directory === undefined || directory.length < 8) return undefined;
  const view = viewOf(directory);
  const available = Math.floor((directory.length - 8) / BIG_TAG_BYTES);
  const sides = new Map<number, number>();
  for (let index = 0; index < Math.min(Number(view.getBigUint64(0, isLittle)), available); index += 1) {
    const tag = 8 + index * BIG_TAG_BYTES;
    const value = readSide(view, tag + 12, view.getUint16(tag + 2, isLittle), isLittle);
    if (value !== undefined) sides.set(view.getUint16(tag, isLittle), value);
  }
  return { width: sides.get(WIDTH) ?? 0, height: sides.get(HEIGHT) ?? 0 };
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
