import type { RangedBytes } from '../ranged-bytes.ts';
import { boxesIn, findInside, readTopBox } from './boxes.ts';
import type { ImageDimensions } from './dimensions.ts';

// HEIC and AVIF pictures are HEIF files. The sizes are in boxes `ispe` inside of `meta` / `iprp` / `ipco`:
// one of the whole picture, others of its tiles and its thumbnail. The largest is that of the picture.

/** Each box is visited at most once for each of the four levels, so the time is linear. */
export async function findInHeif(bytes: RangedBytes): Promise<ImageDimensions | undefined> {
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
