import { findFujiJpeg } from '../../formats/media/raw-places.ts';
import { type Directory, TiffBlock, type TiffPlace } from '../../formats/media/tiff-block.ts';
import { RangedBytes } from '../../formats/ranged-bytes.ts';

const COMPRESSION = 259;
const STRIPS = 273;
const STRIP_LENGTHS = 279;
const SUBDIRECTORIES = 0x014a;
const JPEG = 0x0201;
const JPEG_LENGTH = 0x0202;
const PANASONIC_JPEG = 0x002e;

/** JPEG in a strip: the old and the new way. */
const JPEG_COMPRESSIONS: readonly unknown[] = [6, 7];

/** Real raw files have up to four directories, for previews and the picture itself. */
const MAX_DIRECTORIES = 16;

/**
 * The JPEGs in a raw photo, the longest first. Cameras store one or more previews. The longest may be the
 * photo itself, as a lossless JPEG that few programs decode.
 */
export async function findRawPreviews(file: Buffer): Promise<readonly Buffer[]> {
  const bytes = RangedBytes.of(file);
  const fuji = file.toString('latin1', 0, 15) === 'FUJIFILMCCD-RAW' ? await findFujiJpeg(bytes) : undefined;
  const places = fuji === undefined ? await findInTiff(bytes) : [fuji];
  return places
    .map(({ start, length }) => file.subarray(start, start + length))
    .filter((jpeg) => jpeg.length > 4 && jpeg.readUInt16BE(0) === 0xffd8)
    .toSorted((one, other) => other.length - one.length);
}

async function findInTiff(bytes: RangedBytes): Promise<readonly TiffPlace[]> {
  const block = await TiffBlock.open(bytes, { start: 0, length: bytes.size });
  const found: TiffPlace[] = [];
  const waiting = block === undefined ? [] : [block.firstDirectory];
  for (let count = 0; waiting.length > 0 && count < MAX_DIRECTORIES; count += 1) {
    const directory = await block?.readDirectory(waiting.shift());
    if (directory === undefined) continue;
    found.push(...(await jpegsIn(directory)));
    waiting.push(...(await directory.findNumbers(SUBDIRECTORIES, MAX_DIRECTORIES)));
    if (directory.next !== undefined) waiting.push(directory.next);
  }
  return found;
}

async function jpegsIn(directory: Directory): Promise<readonly TiffPlace[]> {
  const found: (TiffPlace | undefined)[] = [
    directory.findPlace(PANASONIC_JPEG),
    await placeIn(directory, JPEG, JPEG_LENGTH),
  ];
  if (JPEG_COMPRESSIONS.includes(await directory.findNumber(COMPRESSION)))
    found.push(await placeIn(directory, STRIPS, STRIP_LENGTHS));
  return found.filter((place) => place !== undefined);
}

/** The bytes that two tags describe, if they are in one piece. */
async function placeIn(
  directory: Directory,
  startTag: number,
  lengthTag: number,
): Promise<TiffPlace | undefined> {
  const starts = await directory.findNumbers(startTag, 2);
  const [length] = await directory.findNumbers(lengthTag, 1);
  const [start] = starts;
  return start === undefined || length === undefined || starts.length > 1 ? undefined : { start, length };
}
