import type { RangedBytes } from '../ranged-bytes.ts';
import type { ImageDimensions } from './dimensions.ts';

// HEIC and AVIF pictures are HEIF files: boxes, each with a length and a type of four
// letters. The sizes are in boxes `ispe` inside of `meta` / `iprp` / `ipco`: one of the whole picture, others
// of its tiles and its thumbnail. The largest is that of the picture.

/** A list of tiles comes before the sizes, and a large photo has hundreds of tiles. */
const MAX_META_BYTES = 65_536;
/** More boxes than any file has before `meta`. */
const MAX_TOP_BOXES = 32;

/** Each box is visited at most once for each of the four levels, so the time is linear. */
export async function findInHeif(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const meta = await readMeta(bytes);
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

/** The content of the box `meta`, which is not inside of another; undefined if there is none. */
async function readMeta(bytes: RangedBytes): Promise<Buffer | undefined> {
  for (let place = 0, count = 0; count < MAX_TOP_BOXES; count += 1) {
    const head = toBuffer(await bytes.read(place, 16));
    const box = readHead(head, bytes.size - place);
    if (box === undefined) return undefined;
    if (box.type === 'meta') {
      const whole = toBuffer(await bytes.read(place, Math.min(box.size, MAX_META_BYTES)));
      return whole.subarray(box.headSize);
    }
    place += box.size;
  }
  return undefined;
}

function findInside(content: Buffer, [type, ...rest]: readonly string[]): Buffer | undefined {
  if (type === undefined) return content;
  for (const box of boxesIn(content)) if (box.type === type) return findInside(box.content, rest);
  return undefined;
}

/** The boxes that follow each other in the content of another. The last may be cut off by its end. */
function* boxesIn(content: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let place = 0; ; ) {
    const rest = content.subarray(place);
    const box = readHead(rest, rest.length);
    if (box === undefined) return;
    yield { type: box.type, content: rest.subarray(box.headSize, box.size) };
    place += box.size;
  }
}

/** Reads the length and type of a box; undefined for bytes that are no box. */
function readHead(
  bytes: Buffer,
  available: number,
): { type: string; size: number; headSize: number } | undefined {
  if (bytes.length < 8) return undefined;
  const type = bytes.toString('latin1', 4, 8);
  const declared = bytes.readUInt32BE(0);
  // 1 means that the length follows the type, 0 that the box extends to the end.
  if (declared === 1 && bytes.length < 16) return undefined;
  const headSize = declared === 1 ? 16 : 8;
  const size = declared === 1 ? Number(bytes.readBigUInt64BE(8)) : declared === 0 ? available : declared;
  return size < headSize ? undefined : { type, size, headSize };
}

function toBuffer(bytes: Uint8Array = new Uint8Array()): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
