import type { RangedBytes } from '../../ranged-bytes.ts';
import { type Capture, readExif } from './exif.ts';
import { findExif } from './exif-places.ts';
import { findMovieTime } from './movie-time.ts';

export type { Capture } from './exif.ts';

const MOVIE_TYPES: readonly string[] = ['video/mp4', 'video/quicktime', 'video/3gpp', 'video/3gpp2'];

/**
 * Finds when a picture or video was taken, and how a picture must be turned. Reads a bounded number of bytes;
 * what is not there, or makes no sense, is left out.
 *
 * @param type as the first bytes of the file say, not its name: see `media-signatures.ts`
 */
export async function findCapture(type: string, bytes: RangedBytes): Promise<Capture> {
  if (MOVIE_TYPES.includes(type)) return { takenAt: await findMovieTime(bytes), orientation: undefined };
  const place = await findExif(type, bytes);
  return place === undefined ? { takenAt: undefined, orientation: undefined } : await readExif(bytes, place);
}
