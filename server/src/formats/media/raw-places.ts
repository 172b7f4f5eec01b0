import type { RangedBytes } from '../ranged-bytes.ts';
import { findBox } from './boxes.ts';
import type { TiffPlace } from './tiff-block.ts';

/** Canon's box inside `moov`. */
const CANON_ID = '85c0b687820f11e08111f4ce462b6a48';
const MINOLTA_HEAD_BYTES = 8;
/** More blocks than any of Minolta's raw files has. */
const MAX_BLOCKS = 32;

/** The blocks with the first TIFF directory and with the EXIF directory, which are separate blocks here. */
export async function findCanonBlocks(bytes: RangedBytes): Promise<readonly (TiffPlace | undefined)[]> {
  const movie = await findBox(bytes, 'moov');
  const own = movie && (await findBox(bytes, 'uuid', movie));
  if (own === undefined) return [];
  if ((await bytes.readExactly(own.start, 16))?.toString('hex') !== CANON_ID) return [];
  const inside = { start: own.start + 16, length: own.length - 16 };
  return [await findBox(bytes, 'CMT1', inside), await findBox(bytes, 'CMT2', inside)];
}

/** Finds the JPEG inside the file. The head of the file has the positions of its parts. */
export async function findFujiJpeg(bytes: RangedBytes): Promise<TiffPlace | undefined> {
  const head = await bytes.readExactly(84, 8);
  return head && { start: head.readUInt32BE(0), length: head.readUInt32BE(4) };
}

export async function findMinoltaBlock(bytes: RangedBytes, name: string): Promise<TiffPlace | undefined> {
  for (let at = MINOLTA_HEAD_BYTES, index = 0; index < MAX_BLOCKS; index += 1) {
    const head = await bytes.readExactly(at, 8);
    if (head === undefined || head[0] !== 0) return undefined;
    const place = { start: at + 8, length: head.readUInt32BE(4) };
    if (head.toString('latin1', 1, 4) === name) return place;
    at = place.start + place.length;
  }
  return undefined;
}
