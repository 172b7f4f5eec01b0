// tier: default
// The decoder of thumbnails with pictures that are made for it. Everything gives a thumbnail or is refused, in
// time and with a limit of memory.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import { inFull } from '../../../tools/testing/tiers.ts';
import { PictureDecoder, Undecodable } from '../../src/thumbnails/decoder/picture-decoder.ts';
import {
  HEIGHT,
  hugePng,
  largestPng,
  orientedJpeg,
  pngWithLargeText,
  QUARTERS,
  REFUSED_FILES,
  SOUND_PICTURES,
  WIDTH,
} from '../support/media/difficult-pictures.ts';

/** Long, because other tests may use the processors: each file takes a few seconds at most when it is alone. */
const LIMIT_MS = 60_000;

const decoder = new PictureDecoder({ decodingMs: LIMIT_MS });
after(() => decoder.close());

const decode = (bytes: Buffer, size = 256, by = decoder) =>
  by.decode({ size, length: bytes.length }, async () => Readable.from([bytes]));

/** What the middles of the quarters look like. */
async function quartersOf(thumbnail: Buffer): Promise<readonly (readonly number[])[]> {
  const { data, info } = await sharp(thumbnail).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [1, 3].flatMap((row) =>
    [1, 3].map((column) => {
      const x = Math.floor((info.width * column) / 4);
      const y = Math.floor((info.height * row) / 4);
      return [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
    }),
  );
}

function assertQuarters(seen: readonly (readonly number[])[], tolerance: number): void {
  for (const [index, quarter] of QUARTERS.entries()) {
    for (const [channel, value] of quarter.entries()) {
      const found = seen[index]?.[channel] ?? -1_000;
      assert.ok(Math.abs(found - value) <= tolerance, `${index}: ${seen[index]} instead of ${quarter}`);
    }
  }
}

describe('a thumbnail', () => {
  for (const [name, make] of Object.entries(SOUND_PICTURES)) {
    test(`of ${name} is a small WebP with the same colours`, async () => {
      const thumbnail = await decode(await make());
      const { format, width, height, exif, icc, pages = 1 } = await sharp(thumbnail).metadata();
      assert.deepEqual(
        [format, width, height, exif, icc, pages],
        ['webp', 256, 128, undefined, undefined, 1],
      );
      // A round trip through CMYK changes colours most.
      assertQuarters(await quartersOf(thumbnail), name.includes('CMYK') ? 40 : 15);
    });
  }

  for (let orientation = 1; orientation <= 8; orientation += 1) {
    test(`of a photo with the EXIF orientation ${orientation} is upright`, async () => {
      const thumbnail = await decode(await orientedJpeg(orientation));
      const { width, height, orientation: left } = await sharp(thumbnail).metadata();
      assert.deepEqual([width, height, left], [256, 128, undefined]);
      assertQuarters(await quartersOf(thumbnail), 15);
    });
  }

  test('is never larger than the picture', async () => {
    const thumbnail = await decode((await SOUND_PICTURES['a PNG']?.()) ?? Buffer.alloc(0), 1_024);
    const { width, height } = await sharp(thumbnail).metadata();
    assert.deepEqual([width, height], [WIDTH, HEIGHT]);
  });

  test('keeps what is transparent', async () => {
    const glass = sharp({ create: { width: 9, height: 9, channels: 4, background: '#ff000000' } });
    const { data } = await sharp(await decode(await glass.png().toBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.deepEqual([data.length, data[3]], [9 * 9 * 4, 0]);
  });

  test('of a line one pixel high is one pixel high', async () => {
    const line = sharp({ create: { width: 20_000, height: 1, channels: 3, background: '#f00' } });
    const { width, height } = await sharp(await decode(await line.png().toBuffer())).metadata();
    assert.deepEqual([width, height], [256, 1]);
  });

  test('of 196 megapixels is made in time', { ...inFull, timeout: LIMIT_MS }, async () => {
    const { width, height } = await sharp(await decode(largestPng())).metadata();
    assert.deepEqual([width, height], [256, 256]);
  });
});

describe('the decoder', () => {
  for (const [name, make] of Object.entries(REFUSED_FILES)) {
    test(`refuses ${name}`, { timeout: LIMIT_MS }, () => assert.rejects(decode(make()), Undecodable));
  }

  test('ends a process over a picture that takes too much memory', {
    ...inFull,
    timeout: LIMIT_MS,
  }, async () => {
    await assert.rejects(decode(hugePng()), /died over the picture/);
    assert.equal(decoder.processCount, 0);
  });

  for (const name of ['a JPEG', 'a progressive JPEG', 'a PNG', 'a GIF', 'a WebP', 'an AVIF', 'a TIFF']) {
    const options = { ...(name === 'a JPEG' ? {} : inFull), timeout: LIMIT_MS };
    test(`shows or refuses ${name} that is cut off anywhere`, options, async () => {
      const whole = (await SOUND_PICTURES[name]?.()) ?? Buffer.alloc(0);
      for (const share of [0.05, 0.3, 0.6, 0.95]) {
        const cut = whole.subarray(0, Math.floor(whole.length * share));
        const thumbnail = await decode(cut).catch((error: unknown) => {
          assert.ok(error instanceof Undecodable, String(error));
        });
        if (thumbnail !== undefined) assert.equal((await sharp(thumbnail).metadata()).width, 256);
      }
    });
  }

  test('shows a photo with damage in the middle', async () => {
    const photo = (await SOUND_PICTURES['a JPEG']?.()) ?? Buffer.alloc(0);
    photo.fill(0x5a, photo.length - 200, photo.length - 100);
    const [topLeft] = await quartersOf(await decode(photo));
    assert.ok((topLeft?.[0] ?? 0) > 180, String(topLeft));
  });

  test('does not decompress a text of 100 MB', { ...inFull, timeout: LIMIT_MS }, async () => {
    const { width } = await sharp(await decode(pngWithLargeText())).metadata();
    assert.equal(width, 20);
  });

  test('ends a process that decodes for too long, and goes on with another', inFull, async () => {
    const hasty = new PictureDecoder({ decodingMs: 1 });
    after(() => hasty.close());
    await assert.rejects(decode(largestPng(), 256, hasty), /took too long/);
    assert.equal(hasty.processCount, 0);
  });

  test(
    'ends a process to which a picture is sent too slowly, which is not the fault of the picture',
    inFull,
    async () => {
      const hasty = new PictureDecoder({ readingMs: 20 });
      after(() => hasty.close());
      const stalled = new Readable({ read: () => undefined });
      const decoding = hasty.decode({ size: 256, length: 9 }, async () => stalled);
      await assert.rejects(decoding, (error) => !(error instanceof Undecodable));
      assert.deepEqual([hasty.processCount, stalled.destroyed], [0, true]);
    },
  );

  test('passes on the error of a source, and can be used afterwards', async () => {
    const broken = async () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(10);
          throw new Error('the store is gone');
        })(),
      );
    await assert.rejects(decoder.decode({ size: 256, length: 20 }, broken), /the store is gone/);
    const short = async () => Readable.from([Buffer.alloc(10)]);
    await assert.rejects(decoder.decode({ size: 256, length: 20 }, short), /10 bytes instead of 20/);
    assert.ok((await decode((await SOUND_PICTURES['a PNG']?.()) ?? Buffer.alloc(0))).length > 0);
  });

  test('uses one process for pictures one after another, and survives its death', inFull, async () => {
    const own = new PictureDecoder();
    after(() => own.close());
    const picture = (await SOUND_PICTURES['a PNG']?.()) ?? Buffer.alloc(0);
    await decode(picture, 256, own);
    const [first] = own.processIds;
    await decode(picture, 256, own);
    assert.deepEqual(own.processIds, [first]);
    const dying = decode(largestPng(), 256, own);
    const died = assert.rejects(dying, Undecodable);
    await new Promise(setImmediate);
    process.kill(first ?? 0, 'SIGKILL');
    await died;
    assert.ok((await decode(picture, 256, own)).length > 0);
    assert.notEqual(own.processIds[0], first);
  });

  test('starts no process after it was closed', async () => {
    const closed = new PictureDecoder();
    await closed.close();
    await assert.rejects(decode(largestPng(), 256, closed), /stopping/);
    assert.equal(closed.processCount, 0);
  });
});
