import type { RangedBytes } from '../../ranged-bytes.ts';
import { type BoxPlace, findBox, findInside, readBox } from '../boxes.ts';
import { MAX_ZONE_HOURS, toRealTime } from './real-time.ts';

/** Movies count the seconds from the beginning of 1904, in UTC. */
const SECONDS_TO_1970 = 2_082_844_800;
/** The end of the year 9999. */
const MAX_SECONDS = 253_402_300_799;

/** The name under which phones of Apple write the local time with its zone. */
const CREATION_DATE = 'com.apple.quicktime.creationdate';
/** More names than phones write into a movie. */
const MAX_NAMES = 200;

/**
 * When a movie was filmed, in ISO-8601: the local time with its zone if the phone recorded that, otherwise
 * the creation time in the header, in UTC. Undefined for a clock that was not set.
 */
export async function findMovieTime(bytes: RangedBytes): Promise<string | undefined> {
  const movie = await findBox(bytes, 'moov');
  if (movie === undefined) return undefined;
  const inHeader = await findHeaderTime(bytes, movie);
  return (await findLocalTime(bytes, movie)) ?? inHeader;
}

async function findHeaderTime(bytes: RangedBytes, movie: BoxPlace): Promise<string | undefined> {
  const place = await findBox(bytes, 'mvhd', movie);
  const header = place && (await readBox(bytes, place));
  if (header === undefined || header.length < 12) return undefined;
  // Version 1 has times of 64 bits.
  const created = header[0] === 1 ? Number(header.readBigUInt64BE(4)) : header.readUInt32BE(4);
  const seconds = created - SECONDS_TO_1970;
  if (seconds <= 0 || seconds > MAX_SECONDS) return undefined;
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
}

/**
 * The metadata of QuickTime: the box `keys` lists names, and `ilst` has a value for each, by its number from
 * 1.
 */
async function findLocalTime(bytes: RangedBytes, movie: BoxPlace): Promise<string | undefined> {
  const place = await findBox(bytes, 'meta', movie);
  const content = place && (await readBox(bytes, place));
  if (content === undefined) return undefined;
  // In an MP4 the box begins with its version, in a QuickTime movie with the boxes inside.
  const meta = content.toString('latin1', 4, 8) === 'hdlr' ? content : content.subarray(4);
  const number = findNumber(findInside(meta, ['keys']), CREATION_DATE);
  if (number === undefined) return undefined;
  const type = Buffer.alloc(4);
  type.writeUInt32BE(number);
  const value = findInside(meta, ['ilst', type.toString('latin1'), 'data']);
  // The kind and the language of the value come first.
  return toLocalTime(value?.toString('latin1', 8, 8 + MAX_TEXT) ?? '');
}

/** Longer than any time. */
const MAX_TEXT = 64;

function findNumber(names: Buffer | undefined, wanted: string): number | undefined {
  for (let at = 8, number = 1; names !== undefined && number <= MAX_NAMES; number += 1) {
    if (at + 8 > names.length) return undefined;
    const length = names.readUInt32BE(at);
    if (length < 8) return undefined;
    if (names.toString('latin1', at + 8, at + length) === wanted) return number;
    at += length;
  }
  return undefined;
}

/** Reads `2026-07-06T07:04:03+0200`. A time without a zone would be no better than that in the header. */
function toLocalTime(text: string): string | undefined {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?([+-])(\d\d):?([0-5]\d)$/.exec(text);
  if (found === null) return undefined;
  const [, clock = '', sign, hours, minutes] = found;
  const time = toRealTime(clock);
  return time === undefined || Number(hours) > MAX_ZONE_HOURS
    ? undefined
    : `${time}${sign}${hours}:${minutes}`;
}
