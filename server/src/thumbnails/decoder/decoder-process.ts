/*
 * A process that decodes pictures, one after another. Strangers' pictures go through a large library of C
 * code, so the process has nothing of the service: no database, no secrets in the environment, only the
 * bytes. It ends with its standard input, and kills itself when a picture takes too much memory.
 */
import { writeFile, writeSync } from 'node:fs';
import { totalmem } from 'node:os';
import sharp from 'sharp';
import { findCapture } from '../../formats/media/capture/capture.ts';
import { isHeif } from '../../formats/media/containers.ts';
import { findMediaType } from '../../formats/media/media-signatures.ts';
import { RangedBytes } from '../../formats/ranged-bytes.ts';
import { type DecoderRequest, READY, REQUEST_HEAD_BYTES, readRequestHead, toAnswer } from './answer.ts';
import { decodeHeif } from './heif-decoder.ts';

/**
 * The memory limit, including the bytes of the picture. It is enough for 200 megapixels in a format that is
 * decoded as a whole, which takes 3 or 4 bytes per pixel. A JPEG is decoded at an eighth of its size and
 * needs 150 MB.
 */
const MAX_MEMORY_BYTES = Math.min(1024 ** 3, memoryOfMachine() / 4);

/** Short, because decoders can fill about a gigabyte per second. */
const MEMORY_CHECK_MS = 20;

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
// If the machine runs out of memory, the kernel ends this process instead of the service. Only Linux has this
// file.
writeFile('/proc/self/oom_score_adj', '1000', () => undefined);

process.stdout.write(READY);
for await (const { request, picture } of readRequests()) {
  const watch = setInterval(checkMemory, MEMORY_CHECK_MS);
  const thumbnail = await makeThumbnail(picture, request.size)
    .catch(async (error) => {
      if (!hasBoxes(picture)) throw error;
      return makeThumbnail(await decodeHeif({ picture, size: request.size }), request.size);
    })
    .catch(() => undefined);
  clearInterval(watch);
  process.stdout.write(toAnswer({ thumbnail, memoryBytes: process.memoryUsage.rss() }));
}

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

/** The memory of the container if it has a limit, otherwise the machine's memory. */
function memoryOfMachine(): number {
  return Math.min(process.constrainedMemory() || totalmem(), totalmem());
}

/** Ends the process if it takes too much memory, because the decoder cannot be stopped. Answers first. */
function checkMemory(): void {
  const memoryBytes = process.memoryUsage.rss();
  if (memoryBytes <= MAX_MEMORY_BYTES) return;
  writeSync(process.stdout.fd, toAnswer({ thumbnail: undefined, memoryBytes }));
  process.kill(process.pid, 'SIGKILL');
}

/** Reads the requests from the standard input. Each picture is copied once, into separate memory. */
async function* readRequests(): AsyncGenerator<{ request: DecoderRequest; picture: Buffer }> {
  const chunks: AsyncIterator<Buffer> = process.stdin[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const readInto = async (target: Buffer): Promise<boolean> => {
    for (let filled = 0; filled < target.length; ) {
      if (rest.length === 0) {
        const { done, value } = await chunks.next();
        if (done === true) return false;
        rest = value;
      }
      const taken = rest.copy(target, filled);
      rest = rest.subarray(taken);
      filled += taken;
    }
    return true;
  };
  const head = Buffer.alloc(REQUEST_HEAD_BYTES);
  while (await readInto(head)) {
    const request = readRequestHead(head);
    const picture = Buffer.allocUnsafeSlow(request.length);
    if (!(await readInto(picture))) return;
    yield { request, picture };
  }
}
