/*
 * A process that decodes pictures, one after another, because strangers' pictures go through a large library
 * of C code. The memory limit is enough for 200 megapixels in a format that is decoded as a whole, which takes
 * 3 or 4 bytes per pixel. A JPEG is decoded at an eighth of its size and needs 150 MB.
 */
import sharp from 'sharp';
import { serveFiles } from '../../child-processes/child-side.ts';
import { findCapture } from '../../formats/media/capture/capture.ts';
import { isHeif } from '../../formats/media/containers.ts';
import { findMediaType } from '../../formats/media/media-signatures.ts';
import { RangedBytes } from '../../formats/ranged-bytes.ts';
import { findCover } from './cover.ts';
import { decodeHeif } from './heif-decoder.ts';
import { DECODED, NOT_DECODED, OF_RAW } from './outcomes.ts';
import { findRawPreviews } from './raw-previews.ts';

/** 200 megapixels, like the largest sensors of current phones. */
const MAX_PIXELS = 200_000_000;

/** The quality of WebP, from 0 to 100. */
const QUALITY = 80;
/**
 * The effort of the WebP encoder, from 0 to 6. The default, 4, takes twice as long for files that are 4 %
 * smaller.
 */
const EFFORT = 2;

/**
 * The library's readers that may be used. Others, such as those for SVG and for scientific formats, are not
 * allowed.
 */
const READERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}`);

/** How to undo each EXIF orientation: first mirror left to right, then turn clockwise. */
const ORIENTATIONS: Readonly<Record<number, readonly [isMirrored: boolean, degrees: number]>> = {
  2: [true, 0],
  3: [false, 180],
  4: [true, 180],
  5: [true, 270],
  6: [false, 90],
  7: [true, 90],
  8: [false, 270],
};

sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: READERS });

await serveFiles({
  giveUp: () => ({ outcome: NOT_DECODED }),
  work: async ({ request: { parameter }, file }) => {
    const thumbnail = await (parameter >= OF_RAW
      ? decodeRaw(file, parameter - OF_RAW)
      : decodeFile(file, parameter)
    ).catch(() => undefined);
    return { outcome: thumbnail === undefined ? NOT_DECODED : DECODED, body: thumbnail };
  },
});

/** Decodes a picture, or the picture that a document contains. */
async function decodeFile(file: Buffer, size: number): Promise<Buffer | undefined> {
  const isArchive = file.toString('latin1', 0, 4) === 'PK\x03\x04';
  const picture = isArchive ? await findCover(file) : file;
  if (picture === undefined) return undefined;
  return await makeThumbnail(picture, size, await findOrientation(picture)).catch(async (error) => {
    if (!hasBoxes(picture)) throw error;
    const decoded = await decodeHeif({ picture, size });
    return await makeThumbnail(decoded, size, await findOrientation(decoded));
  });
}

/** Decodes the largest preview in a raw photo that can be decoded. The photo's own orientation counts. */
async function decodeRaw(file: Buffer, size: number): Promise<Buffer | undefined> {
  const orientation = await findOrientation(file);
  for (const preview of await findRawPreviews(file)) {
    const thumbnail = await makeThumbnail(preview, size, orientation).catch(() => undefined);
    if (thumbnail !== undefined) return thumbnail;
  }
  return undefined;
}

/** Whether the picture consists of boxes, like HEIC, AVIF and related formats. */
function hasBoxes(picture: Buffer): boolean {
  return picture.toString('latin1', 4, 8) === 'ftyp';
}

async function makeThumbnail(picture: Uint8Array, size: number, orientation: number): Promise<Buffer> {
  const options = { failOn: 'none', limitInputPixels: MAX_PIXELS } as const;
  const [isMirrored, degrees] = ORIENTATIONS[orientation] ?? [false, 0];
  // Turns the small picture, because turning the large one would need all of its pixels in memory.
  return sharp(picture, options)
    .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
    .flop(isMirrored)
    .rotate(degrees)
    .toColourspace('srgb')
    .webp({ quality: QUALITY, effort: EFFORT })
    .toBuffer();
}

/** The orientation that the file's metadata records. HEIF decoders turn their pictures themselves. */
async function findOrientation(picture: Uint8Array): Promise<number> {
  const type = findMediaType(picture, '');
  if (type === undefined || isHeif(type)) return 1;
  return (await findCapture(type, RangedBytes.of(picture))).orientation ?? 1;
}
