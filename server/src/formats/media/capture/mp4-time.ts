import type { RangedBytes } from '../../ranged-bytes.ts';
import { type BoxPlace, boxesIn, findBox, findInside, readBox } from '../boxes.ts';
import { MAX_TIME_TEXT, parseTime, toUtc } from './real-time.ts';

/** Movies count seconds from the beginning of 1904, in UTC. */
const SECONDS_TO_1970 = 2_082_844_800;
/** Counted from 1970. */
const SECONDS_TO_1990 = 631_152_000;

/** The name under which Apple's phones store the local time with its zone. */
const CREATION_DATE = 'com.apple.quicktime.creationdate';
/** The type of the box in which other programs store the day or the time as text. */
const DAY_TYPE = '\xa9day';
/** More names than any phone writes into a movie. */
const MAX_NAMES = 200;

/**
 * The best time of a movie. First choice is the local time with its zone, if the phone recorded it. Then
 * comes the UTC time in the header of the movie or of a track, and last a local time without a zone.
 */
export async function findMp4Time(bytes: RangedBytes): Promise<string | undefined> {
  const movie = await findBox(bytes, 'moov');
  if (movie === undefined) return undefined;
  const inHeader = (await findHeaderTime(bytes, movie)) ?? (await findTrackTime(bytes, movie));
  const local = await findLocalTimes(bytes, movie);
  return local.find(hasOffset) ?? inHeader ?? local[0];
}

/** Whether the time has an offset other than `Z`. A time in UTC is no better than the one in the header. */
function hasOffset(time: string): boolean {
  return /[+-]\d\d:\d\d$/.test(time);
}

async function findHeaderTime(bytes: RangedBytes, movie: BoxPlace): Promise<string | undefined> {
  const place = await findBox(bytes, 'mvhd', movie);
  return place && toHeaderTime(await readBox(bytes, place));
}

/** The time in the header of the first track, or of its media. */
async function findTrackTime(bytes: RangedBytes, movie: BoxPlace): Promise<string | undefined> {
  const track = await findBox(bytes, 'trak', movie);
  const header = track && (await findBox(bytes, 'tkhd', track));
  const time = header && toHeaderTime(await readBox(bytes, header));
  if (time !== undefined || track === undefined) return time;
  const media = await findBox(bytes, 'mdia', track);
  const mediaHeader = media && (await findBox(bytes, 'mdhd', media));
  return mediaHeader && toHeaderTime(await readBox(bytes, mediaHeader));
}

function toHeaderTime(header: Buffer): string | undefined {
  if (header.length < 12) return undefined;
  // Version 1 has times of 64 bits.
  const created = header[0] === 1 ? Number(header.readBigUInt64BE(4)) : header.readUInt32BE(4);
  // Some cameras count from 1970. Counted from 1904, their times would be older than digital movies.
  const isUnixTime = created > SECONDS_TO_1990 && created < SECONDS_TO_1970;
  return toUtc(isUnixTime ? created : created - SECONDS_TO_1970);
}

/** The times in the metadata boxes, the best one first. */
async function findLocalTimes(bytes: RangedBytes, movie: BoxPlace): Promise<readonly string[]> {
  const texts = await textsOfMeta(bytes, await findBox(bytes, 'meta', movie));
  const userData = await findBox(bytes, 'udta', movie);
  if (userData !== undefined) {
    texts.push(...(await textsOfMeta(bytes, await findBox(bytes, 'meta', userData))));
    const day = await findBox(bytes, DAY_TYPE, userData);
    // The text follows its length and language.
    if (day !== undefined) texts.push(textIn(await readBox(bytes, day), 4));
  }
  return texts.flatMap((text) => parseTime(text) ?? []);
}

/**
 * QuickTime metadata: the box `keys` lists names, and `ilst` has the value for each name under its number,
 * counted from 1. In an MP4, `ilst` identifies values by type instead.
 */
async function textsOfMeta(bytes: RangedBytes, place: BoxPlace | undefined): Promise<string[]> {
  if (place === undefined) return [];
  const content = await readBox(bytes, place);
  // In an MP4 the box begins with its version, in a QuickTime movie directly with the inner boxes.
  const meta = content.toString('latin1', 4, 8) === 'hdlr' ? content : content.subarray(4);
  const number = findNumber(findInside(meta, ['keys']), CREATION_DATE);
  const type = Buffer.alloc(4);
  type.writeUInt32BE(number ?? 0);
  const values = findInside(meta, ['ilst']);
  const texts: string[] = [];
  for (const value of values === undefined ? [] : boxesIn(values)) {
    if (value.type !== DAY_TYPE && (number === undefined || value.type !== type.toString('latin1'))) continue;
    const data = findInside(value.content, ['data']);
    // The value follows its kind and language.
    if (data !== undefined) texts.push(textIn(data, 8));
  }
  return texts;
}

function textIn(content: Buffer, start: number): string {
  return content.toString('latin1', start, start + MAX_TIME_TEXT).replace(/\0.*$/s, '');
}

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
