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
import { decodeHeif } from './heif-decoder.ts';
import { DECODED, NOT_DECODED } from './outcomes.ts';

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
  work: async ({ request: { parameter: size }, file: picture }) => {
    const thumbnail = await makeThumbnail(picture, size)
      .catch(async (error) => {
        if (!hasBoxes(picture)) throw error;
        return makeThumbnail(await decodeHeif({ picture, size }), size);
      })
      .catch(() => undefined);
    return { outcome: thumbnail === undefined ? NOT_DECODED : DECODED, body: thumbnail };
  },
});

/** Whether the picture consists of boxes, like HEIC, AVIF and related formats. */
function hasBoxes(picture: Buffer): boolean {
  return picture.toString('latin1', 4, 8) === 'ftyp';
}

async function makeThumbnail(picture: Uint8Array, size: number): Promise<Buffer> {
  const options = { failOn: 'none', limitInputPixels: MAX_PIXELS } as const;
  const [isMirrored, degrees] = ORIENTATIONS[await findOrientation(picture)] ?? [false, 0];
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
  const bytes = new RangedBytes(picture.length, async (start, length) =>
    picture.subarray(start, start + length),
  );
  return (await findCapture(type, bytes)).orientation ?? 1;
}
