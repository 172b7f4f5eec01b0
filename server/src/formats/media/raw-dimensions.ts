import type { RangedBytes } from '../ranged-bytes.ts';
import type { ImageDimensions } from './dimensions.ts';
import { findCanonBlocks, findMinoltaBlock } from './raw-places.ts';
import { findInTiff } from './tiff-dimensions.ts';

/** Readers of raw files whose container is not that of TIFF. */
export const RAW_DIMENSIONS: Readonly<
  Record<string, (bytes: RangedBytes) => Promise<ImageDimensions | undefined>>
> = {
  'image/x-canon-cr3': findInCanon,
  'image/x-fuji-raf': findInFuji,
  'image/x-minolta-mrw': findInMinolta,
};

async function findInCanon(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
  const [first] = await findCanonBlocks(bytes);
  return first && (await findInTiff('image/tiff', bytes.part(first)));
}

/** The sizes without and with the border that cameras cut off. */
const FUJI_SIZES = [0x0111, 0x0100];
const MAX_FUJI_TAGS = 100;

/** The head names a list of tags in big-endian order. */
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
  // Eight bytes of a version, and the size of the sensor, come first.
  const sides = place && (await bytes.readExactly(place.start + 12, 4));
  return sides && { height: sides.readUInt16BE(0), width: sides.readUInt16BE(2) };
}
