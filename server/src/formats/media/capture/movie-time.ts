import type { RangedBytes } from '../../ranged-bytes.ts';
import { findInside, readTopBox } from '../boxes.ts';

/** Movies count the seconds from the beginning of 1904, in UTC. */
const SECONDS_TO_1970 = 2_082_844_800;
/** The end of the year 9999. */
const MAX_SECONDS = 253_402_300_799;

/** The creation time in the header of a movie, in ISO-8601; undefined for a clock that was not set. */
export async function findMovieTime(bytes: RangedBytes): Promise<string | undefined> {
  const movie = await readTopBox(bytes, 'moov');
  const header = movie && findInside(movie, ['mvhd']);
  if (header === undefined || header.length < 12) return undefined;
  // Version 1 has times of 64 bits.
  const created = header[0] === 1 ? Number(header.readBigUInt64BE(4)) : header.readUInt32BE(4);
  const seconds = created - SECONDS_TO_1970;
  if (seconds <= 0 || seconds > MAX_SECONDS) return undefined;
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
}
