import type { RangedBytes } from '../../ranged-bytes.ts';
import { boxesIn, findInside, readTopBox } from '../boxes.ts';
import type { ExifPlace } from './exif.ts';

/** Each format has its own place for an EXIF block. In a TIFF it is the file itself. */
export async function findExif(type: string, bytes: RangedBytes): Promise<ExifPlace | undefined> {
  if (type === 'image/jpeg') return await findInJpeg(bytes);
  if (type === 'image/png') return await findInPng(bytes);
  if (type === 'image/webp') return await findInWebp(bytes);
  if (HEIF_TYPES.includes(type)) return await findInHeif(bytes);
  return type === 'image/tiff' ? { start: 0, length: bytes.size } : undefined;
}

const HEIF_TYPES: readonly string[] = ['image/avif', 'image/heic', 'image/heif'];

/** More segments or chunks than any file has before the block. */
const MAX_STEPS = 2_000;

const EXIF_HEADER = 'Exif\0\0';

/** In a segment before the first scan. */
async function findInJpeg(bytes: RangedBytes): Promise<ExifPlace | undefined> {
  for (let place = 2, steps = 0; steps < MAX_STEPS; steps += 1) {
    const segment = await readBuffer(bytes, place, 10);
    if (segment === undefined || segment[0] !== 0xff) return undefined;
    const marker = segment[1] ?? 0;
    const length = segment.readUInt16BE(2);
    if (marker === 0xe1 && segment.toString('latin1', 4, 10) === EXIF_HEADER) {
      return { start: place + 10, length: Math.max(0, length - 8) };
    }
    if (marker === 0xff) place += 1;
    else if (marker === 0xda || marker === 0xd9) return undefined;
    else place += marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8) ? 2 : 2 + length;
  }
  return undefined;
}

/** In the chunk `eXIf`, before or after the pixels. */
async function findInPng(bytes: RangedBytes): Promise<ExifPlace | undefined> {
  for (let place = 8, steps = 0; steps < MAX_STEPS; steps += 1) {
    const chunk = await readBuffer(bytes, place, 8);
    if (chunk === undefined) return undefined;
    const length = chunk.readUInt32BE(0);
    if (chunk.toString('latin1', 4, 8) === 'eXIf') return { start: place + 8, length };
    // Its checksum follows.
    place += 8 + length + 4;
  }
  return undefined;
}

/** In the chunk `EXIF` (RFC 9649, section 2.7.1.5), which some programs begin as a JPEG segment. */
async function findInWebp(bytes: RangedBytes): Promise<ExifPlace | undefined> {
  for (let place = 12, steps = 0; steps < MAX_STEPS; steps += 1) {
    const chunk = await readBuffer(bytes, place, 8);
    if (chunk === undefined) return undefined;
    const length = chunk.readUInt32LE(4);
    if (chunk.toString('latin1', 0, 4) === 'EXIF') {
      const header = (await readBuffer(bytes, place + 8, 6))?.toString('latin1');
      const skipped = header === EXIF_HEADER ? 6 : 0;
      return { start: place + 8 + skipped, length: length - skipped };
    }
    // Chunks have an even length.
    place += 8 + length + (length % 2);
  }
  return undefined;
}

/**
 * In an item of type `Exif`: the box `iinf` has the types of the items, `iloc` their places in the file. The
 * item begins with the number of bytes before the block.
 */
async function findInHeif(bytes: RangedBytes): Promise<ExifPlace | undefined> {
  const meta = (await readTopBox(bytes, 'meta'))?.subarray(4);
  const id = meta && findExifItem(findInside(meta, ['iinf']));
  const item = meta && id !== undefined ? findItemPlace(findInside(meta, ['iloc']), id) : undefined;
  if (item === undefined) return undefined;
  const skipped = (await readBuffer(bytes, item.start, 4))?.readUInt32BE(0);
  if (skipped === undefined) return undefined;
  return { start: item.start + 4 + skipped, length: Math.max(0, item.length - 4 - skipped) };
}

function findExifItem(items: Buffer | undefined): number | undefined {
  if (items === undefined || items.length < 6) return undefined;
  // The number of items has 16 or 32 bits.
  for (const { type, content } of boxesIn(items.subarray(items[0] === 0 ? 6 : 8))) {
    const isLong = content[0] === 3;
    const typeAt = isLong ? 10 : 8;
    if (type !== 'infe' || content.length < typeAt + 4) continue;
    if (content.toString('latin1', typeAt, typeAt + 4) !== 'Exif') continue;
    return isLong ? content.readUInt32BE(4) : content.readUInt16BE(4);
  }
  return undefined;
}

/**
 * Items in several pieces, or outside of the file's plain bytes, are not supported. No camera writes them.
 */
function findItemPlace(content: Buffer | undefined, wantedId: number): ExifPlace | undefined {
  if (content === undefined || content.length < 8) return undefined;
  const fields = new Fields(content);
  const version = fields.number(1);
  fields.number(3);
  const [sizes, moreSizes] = [fields.number(1), fields.number(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, moreSizes >> 4];
  const indexBytes = version === 0 ? 0 : moreSizes & 15;
  const idBytes = version < 2 ? 2 : 4;
  const count = fields.number(idBytes);
  for (let index = 0; index < count && !fields.isAtEnd; index += 1) {
    const id = fields.number(idBytes);
    const isElsewhere = version > 0 && (fields.number(2) & 15) !== 0;
    fields.number(2);
    const base = fields.number(baseBytes);
    const pieces = fields.number(2);
    const extents = Array.from({ length: fields.isAtEnd ? 0 : Math.min(pieces, 1) }, () => {
      fields.number(indexBytes);
      return { start: base + fields.number(offsetBytes), length: fields.number(lengthBytes) };
    });
    if (id === wantedId) return pieces === 1 && !isElsewhere && !fields.isAtEnd ? extents[0] : undefined;
    fields.skip((pieces - extents.length) * (indexBytes + offsetBytes + lengthBytes));
  }
  return undefined;
}

/** Reads numbers of 0 to 8 bytes one after the other. */
class Fields {
  readonly #bytes: Buffer;
  #place = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Whether a number was read that is not there. */
  get isAtEnd(): boolean {
    return this.#place > this.#bytes.length;
  }

  /** Gives 0 after the end. */
  number(bytes: number): number {
    const start = this.#place;
    this.#place += bytes;
    let value = 0;
    if (!this.isAtEnd)
      for (let at = start; at < this.#place; at += 1) value = value * 256 + (this.#bytes[at] ?? 0);
    return value;
  }

  skip(bytes: number): void {
    this.#place += bytes;
  }
}

/** Gives undefined if there are fewer bytes, or if no more of the file is read. */
async function readBuffer(bytes: RangedBytes, start: number, length: number): Promise<Buffer | undefined> {
  const found = await bytes.read(start, length);
  return found === undefined || found.length < length
    ? undefined
    : Buffer.from(found.buffer, found.byteOffset, found.byteLength);
}
