import type { RangedBytes } from '../ranged-bytes.ts';
import { boxesIn, findInside, readTopBox } from './boxes.ts';
import { isHeif, isTiff } from './containers.ts';
import type { ImageDimensions } from './dimensions.ts';
import { FIXED_HEADER_BYTES, FIXED_HEADERS } from './fixed-headers.ts';
import { jpegSegments } from './jpeg-segments.ts';
import { RAW_DIMENSIONS } from './raw-dimensions.ts';
import { findInTiff } from './tiff-dimensions.ts';

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

/** In the segment that begins the frame, however much metadata is before it. */
async function findInJpeg(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  for await (const { marker, start } of jpegSegments(bytes)) {
    if (!isFrame(marker)) continue;
    const frame = Buffer.from((await bytes.read(start, 5)) ?? []);
    return frame.length < 5 ? undefined : { height: frame.readUInt16BE(1), width: frame.readUInt16BE(3) };
  }
  return undefined;
}

/** The markers of tables lie between those of frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/**
 * HEIC and AVIF pictures are HEIF files. The sizes are in boxes `ispe` inside of `meta` / `iprp` / `ipco`: one of
 * the whole picture, others of its tiles and its thumbnail. The largest is that of the picture. Each box is
 * visited at most once for each of the four levels, so the time is linear.
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
