import type { RangedBytes } from '../../ranged-bytes.ts';
import { findCanonBlocks, findFujiJpeg, findMinoltaBlock } from '../raw-places.ts';
import type { TiffPlace } from '../tiff-block.ts';
import type { MetadataBlock } from './metadata-block.ts';
import { findBlocks } from './metadata-places.ts';

/** The metadata of raw files whose container is not that of TIFF; undefined for other types. */
export async function findRawBlocks(
  type: string,
  bytes: RangedBytes,
): Promise<readonly MetadataBlock[] | undefined> {
  if (type === 'image/x-canon-cr3') return toBlocks(bytes, await findCanonBlocks(bytes));
  if (type === 'image/x-minolta-mrw') return toBlocks(bytes, [await findMinoltaBlock(bytes, 'TTW')]);
  if (type !== 'image/x-fuji-raf') return undefined;
  // A JPEG is inside.
  const jpeg = await findFujiJpeg(bytes);
  return jpeg === undefined ? [] : await findBlocks('image/jpeg', bytes.part(jpeg));
}

function toBlocks(bytes: RangedBytes, places: readonly (TiffPlace | undefined)[]): readonly MetadataBlock[] {
  return places.flatMap((place) => (place === undefined ? [] : [{ kind: 'exif' as const, bytes, place }]));
}
