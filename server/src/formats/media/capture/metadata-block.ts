import type { RangedBytes } from '../../ranged-bytes.ts';
import type { TiffPlace } from '../tiff-block.ts';

/** A block of metadata in a file. */
export interface MetadataBlock {
  /** `time` is a text in any format of times that cameras and programs write. */
  readonly kind: 'exif' | 'xmp' | 'iptc' | 'time';
  readonly bytes: RangedBytes;
  readonly place: TiffPlace;
}

/** Longer blocks are read only up to this size: they contain more than times. */
const MAX_BLOCK_BYTES = 65_536;
/** More chunks than any real file has before its metadata. */
export const MAX_CHUNKS = 2_000;

export const EXIF_HEADER = 'Exif\0\0';
/** Skips the header that belongs into a JPEG only, but that some programs write elsewhere as well. */
export async function skipExifHeader(bytes: RangedBytes, place: TiffPlace): Promise<TiffPlace> {
  const { start, length } = place;
  const header = (await bytes.readExactly(start, EXIF_HEADER.length))?.toString('latin1');
  return header === EXIF_HEADER ? { start: start + 6, length: Math.max(0, length - 6) } : place;
}

/** The beginning of a block. */
export async function readBlock({
  bytes,
  place,
}: Pick<MetadataBlock, 'bytes' | 'place'>): Promise<Buffer | undefined> {
  const length = Math.max(0, Math.min(place.length, MAX_BLOCK_BYTES));
  const found = await bytes.read(place.start, length);
  return found && Buffer.from(found.buffer, found.byteOffset, found.byteLength);
}
