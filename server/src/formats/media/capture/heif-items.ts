import type { RangedBytes } from '../../ranged-bytes.ts';
import { boxesIn, findInside, readTopBox } from '../boxes.ts';
import type { TiffPlace } from '../tiff-block.ts';
import { type MetadataBlock, skipExifHeader } from './metadata-block.ts';

/**
 * HEIF stores metadata in items. The box `iinf` has their types, `iloc` their positions in the file. An item
 * of the type `Exif` begins with the number of bytes before the block.
 */
export async function* findHeifBlocks(bytes: RangedBytes): AsyncGenerator<MetadataBlock> {
  const meta = (await readTopBox(bytes, 'meta'))?.subarray(4);
  const places = meta && findInside(meta, ['iloc']);
  if (meta === undefined || places === undefined) return;
  for (const { id, kind } of findItems(findInside(meta, ['iinf']))) {
    const place = findItemPlace(places, id);
    if (place === undefined) continue;
    if (kind === 'xmp') yield { kind, bytes, place };
    const skipped = kind === 'xmp' ? undefined : (await bytes.readExactly(place.start, 4))?.readUInt32BE(0);
    if (skipped === undefined) continue;
    const start = place.start + 4 + skipped;
    const block = { start, length: Math.max(0, place.length - 4 - skipped) };
    yield { kind, bytes, place: await skipExifHeader(bytes, block) };
  }
}

/** More metadata items than any real file has. */
const MAX_ITEMS = 8;

function findItems(items: Buffer | undefined): readonly { id: number; kind: 'exif' | 'xmp' }[] {
  const found: { id: number; kind: 'exif' | 'xmp' }[] = [];
  if (items === undefined || items.length < 6) return found;
  // The number of items has 16 or 32 bits.
  for (const { type, content } of boxesIn(items.subarray(items[0] === 0 ? 6 : 8))) {
    const isLong = content[0] === 3;
    const typeAt = isLong ? 10 : 8;
    if (type !== 'infe' || content.length < typeAt + 4) continue;
    const itemType = content.toString('latin1', typeAt, typeAt + 4);
    const isXmp = itemType === 'mime' && content.includes('application/rdf+xml', typeAt);
    if (itemType !== 'Exif' && !isXmp) continue;
    found.push({
      id: isLong ? content.readUInt32BE(4) : content.readUInt16BE(4),
      kind: isXmp ? 'xmp' : 'exif',
    });
    if (found.length === MAX_ITEMS) break;
  }
  return found;
}

/**
 * Items in several pieces, or stored other than as plain bytes of the file, are not supported. No camera
 * writes them.
 */
function findItemPlace(content: Buffer | undefined, wantedId: number): TiffPlace | undefined {
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

/** Reads numbers of 0 to 8 bytes one after another. */
class Fields {
  readonly #bytes: Buffer;
  #place = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Whether a number was read beyond the end. */
  get isAtEnd(): boolean {
    return this.#place > this.#bytes.length;
  }

  /** Returns 0 beyond the end. */
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
