import type { RangedBytes } from '../../../ranged-bytes.ts';
import { findAsfTime } from './asf-time.ts';
import { findAviTime } from './avi-time.ts';
import { findMatroskaTime } from './matroska-time.ts';
import { findMp4Time } from './mp4-time.ts';

const READERS: Readonly<Record<string, (bytes: RangedBytes) => Promise<string | undefined>>> = {
  'video/mp4': findMp4Time,
  'video/quicktime': findMp4Time,
  'video/3gpp': findMp4Time,
  'video/3gpp2': findMp4Time,
  'video/x-m4v': findMp4Time,
  'video/x-matroska': findMatroskaTime,
  'video/webm': findMatroskaTime,
  'video/x-msvideo': findAviTime,
  'video/x-ms-asf': findAsfTime,
};

/** When a movie was filmed, in ISO-8601. Undefined for a clock that was not set. */
export async function findMovieTime(type: string, bytes: RangedBytes): Promise<string | undefined> {
  return await READERS[type]?.(bytes);
}
