import type { RangedBytes } from '../../ranged-bytes.ts';
import { type BoxPlace, findBox, readBox } from '../boxes.ts';
import { findElement, findSegmentInfo } from './matroska-elements.ts';

/** How a movie appears on a screen. Unknown values are left out. */
interface MovieShape {
  /** In pixels, after the picture has been turned. */
  readonly width?: number;
  readonly height?: number;
  /** In seconds. */
  readonly duration?: number;
}

const READERS: Readonly<Record<string, (bytes: RangedBytes) => Promise<MovieShape>>> = {
  'video/mp4': findMp4Shape,
  'video/quicktime': findMp4Shape,
  'video/3gpp': findMp4Shape,
  'video/3gpp2': findMp4Shape,
  'video/x-m4v': findMp4Shape,
  'video/x-matroska': findMatroskaShape,
  'video/webm': findMatroskaShape,
};

/** Finds the length of a movie and, if its header has them, its sides. Reads only the headers. */
export async function findMovieShape(type: string, bytes: RangedBytes): Promise<MovieShape> {
  return (await READERS[type]?.(bytes)) ?? {};
}

/** Longer than any real movie. */
const MAX_SECONDS = 30 * 86_400;
/** More tracks than any real movie has before its picture. */
const MAX_TRACKS = 16;

async function findMp4Shape(bytes: RangedBytes): Promise<MovieShape> {
  const movie = await findBox(bytes, 'moov');
  if (movie === undefined) return {};
  const header = await findBox(bytes, 'mvhd', movie);
  const duration = header && toDuration(await readBox(bytes, header));
  return { ...(await findSides(bytes, movie)), ...(duration !== undefined && { duration }) };
}

function toDuration(header: Buffer): number | undefined {
  // Version 1 has times of 64 bits.
  const isLong = header[0] === 1;
  if (header.length < (isLong ? 32 : 20)) return undefined;
  const unitsPerSecond = header.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return toSeconds(units / unitsPerSecond);
}

/** The sides of the first track that has any: sound has none. */
async function findSides(bytes: RangedBytes, movie: BoxPlace): Promise<MovieShape> {
  let rest = movie;
  for (let index = 0; index < MAX_TRACKS; index += 1) {
    const track = await findBox(bytes, 'trak', rest);
    if (track === undefined) return {};
    const header = await findBox(bytes, 'tkhd', track);
    const sides = header && toSides(await readBox(bytes, header));
    if (sides !== undefined) return sides;
    const start = track.start + track.length;
    rest = { start, length: movie.start + movie.length - start };
  }
  return {};
}

function toSides(header: Buffer): MovieShape | undefined {
  const matrix = header[0] === 1 ? 52 : 40;
  if (header.length < matrix + 44) return undefined;
  // Fixed-point numbers, of which the first 16 bits are whole pixels.
  const [width, height] = [header.readUInt16BE(matrix + 36), header.readUInt16BE(matrix + 40)];
  if (width === 0 || height === 0) return undefined;
  // A phone held upright writes a matrix that turns the picture by a quarter.
  const isTurned = header.readInt32BE(matrix) === 0 && header.readInt32BE(matrix + 4) !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
}

const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const USUAL_SCALE = 1_000_000;
const NANOSECONDS = 1_000_000_000;

async function findMatroskaShape(bytes: RangedBytes): Promise<MovieShape> {
  const info = await findSegmentInfo(bytes);
  const place = info && (await findElement(bytes, DURATION, info));
  if (info === undefined || place === undefined) return {};
  const content = await bytes.readExactly(place.start, place.length === 4 ? 4 : 8);
  if (content === undefined || (place.length !== 4 && place.length !== 8)) return {};
  const units = place.length === 4 ? content.readFloatBE() : content.readDoubleBE();
  const scale = await findElement(bytes, TIMESTAMP_SCALE, info);
  const nanoseconds =
    scale !== undefined && scale.length >= 1 && scale.length <= 6
      ? (await bytes.readExactly(scale.start, scale.length))?.readUIntBE(0, scale.length)
      : USUAL_SCALE;
  const duration = toSeconds((units * (nanoseconds ?? USUAL_SCALE)) / NANOSECONDS);
  return duration === undefined ? {} : { duration };
}

/** Thousandths are enough. Undefined for impossible lengths. */
function toSeconds(seconds: number): number | undefined {
  return seconds > 0 && seconds <= MAX_SECONDS ? Math.round(seconds * 1_000) / 1_000 : undefined;
}
