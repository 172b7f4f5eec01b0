import type { RangedBytes } from '../ranged-bytes.ts';

// Files of the ISO base media format (HEIF, AVIF, MP4, QuickTime) consist of boxes, each with a length and a
// type of four letters. Some boxes contain others.

/** Large enough for the lists of a large photo's tiles, which are the largest content that is needed. */
const MAX_BOX_BYTES = 65_536;
/** More boxes than any real file has before the wanted box. */
const MAX_BOXES = 1_000;

/** The position of a box's content in the file. */
export interface BoxPlace {
  readonly start: number;
  readonly length: number;
}

/** The beginning of the content of a top-level box; undefined if there is no such box. */
export async function readTopBox(bytes: RangedBytes, type: string): Promise<Buffer | undefined> {
  const place = await findBox(bytes, type);
  return place && (await readBox(bytes, place));
}

/** Finds a box, even behind very long ones. @param within by default the whole file */
export async function findBox(
  bytes: RangedBytes,
  type: string,
  within: BoxPlace = { start: 0, length: bytes.size },
): Promise<BoxPlace | undefined> {
  const end = within.start + within.length;
  for (let start = within.start, count = 0; count < MAX_BOXES; count += 1) {
    const head = toBuffer(await bytes.read(start, Math.max(0, Math.min(16, end - start))));
    const box = readHead(head, end - start);
    if (box === undefined) return undefined;
    if (box.type === type) {
      return { start: start + box.headSize, length: Math.min(box.size, end - start) - box.headSize };
    }
    start += box.size;
  }
  return undefined;
}

/** Reads the beginning of a box's content. */
export async function readBox(bytes: RangedBytes, { start, length }: BoxPlace): Promise<Buffer> {
  return toBuffer(await bytes.read(start, Math.min(length, MAX_BOX_BYTES)));
}

/**
 * The content of a nested box. The types are those of the boxes around it and its own, from the outside in.
 */
export function findInside(content: Buffer, [type, ...rest]: readonly string[]): Buffer | undefined {
  if (type === undefined) return content;
  for (const box of boxesIn(content)) if (box.type === type) return findInside(box.content, rest);
  return undefined;
}

/** The boxes in the content of another box, in order. The last one may be cut off. */
export function* boxesIn(content: Buffer): Generator<{ readonly type: string; readonly content: Buffer }> {
  for (let place = 0; ; ) {
    const rest = content.subarray(place);
    const box = readHead(rest, rest.length);
    if (box === undefined) return;
    yield { type: box.type, content: rest.subarray(box.headSize, box.size) };
    place += box.size;
  }
}

/** Reads the length and type of a box; undefined for bytes that are not a box. */
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
