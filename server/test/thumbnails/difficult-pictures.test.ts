// tier: default
// The thumbnail decoder with specially made pictures. Each one yields a thumbnail or is rejected, within
// limits of time and memory.
import assert from 'node:assert/strict';
import { ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import { after, describe, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import sharp from 'sharp';
import { inFull } from '../../../tools/testing/tiers.ts';
import { DecodingInterrupted, Undecodable } from '../../src/thumbnails/decoder/decoding-children.ts';
import { PictureDecoder } from '../../src/thumbnails/decoder/picture-decoder.ts';
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
import { buildExif, makeExif, makeJpegWith, pngChunk } from '../support/media/exif-files.ts';
import { makeHeic } from '../support/media/heic.ts';

/** Long, because other tests may use the processors. Alone, each file takes at most a few seconds. */
const LIMIT_MS = 60_000;

const turnedExif = makeExif({ orientation: 6 });

const decoder = new PictureDecoder({ decodingMs: LIMIT_MS });
after(() => decoder.close());

const decode = (bytes: Buffer, size = 256, by = decoder) =>
  by.decode({ size, length: bytes.length }, async () => Readable.from([bytes]));

/** The colours in the middle of each quarter. */
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

  test('of a picture is turned as its record says, wherever the EXIF block is', async () => {
    const jpeg = await orientedJpeg(6);
    const empty = makeJpegWith([[0xe1, Buffer.concat([Buffer.from('Exif\0\0'), buildExif({})])]]);
    const second = Buffer.concat([
      empty.subarray(0, empty.indexOf(Buffer.from('ffc0', 'hex'))),
      jpeg.subarray(2),
    ]);
    const png = await sharp(jpeg).png().toBuffer();
    const late = Buffer.concat([png.subarray(0, -12), pngChunk('eXIf', turnedExif), png.subarray(-12)]);
    for (const bytes of [second, late]) {
      const thumbnail = await decode(bytes);
      const { width, height } = await sharp(thumbnail).metadata();
      assert.deepEqual([width, height], [256, 128]);
      assertQuarters(await quartersOf(thumbnail), 15);
    }
  });

  // The picture is stored upright, so each property moves its quarters: counter-clockwise, and at an axis.
  for (const [what, options, order] of [
    ['a quarter turn', { turns: 1 }, [1, 3, 0, 2]],
    ['a half turn', { turns: 2 }, [3, 2, 1, 0]],
    ['three quarter turns', { turns: 3 }, [2, 0, 3, 1]],
    ['a mirror', { mirrorAxis: 1 }, [1, 0, 3, 2]],
    ['a turn and an EXIF orientation that says the same', { turns: 3, exif: turnedExif }, [2, 0, 3, 1]],
    ['an EXIF orientation only', { exif: turnedExif }, [0, 1, 2, 3]],
  ] as const) {
    test(`of a HEIC with ${what} is turned by its properties, and never by its EXIF block`, async () => {
      const thumbnail = await decode(makeHeic(options));
      const { width, height } = await sharp(thumbnail).metadata();
      const isUpright = order[0] + order[1] === 1 || order[0] + order[1] === 5;
      assert.deepEqual([width, height], isUpright ? [256, 128] : [128, 256]);
      const seen = await quartersOf(thumbnail);
      // Compares the colours in their stored order.
      assertQuarters(
        order.map((_, quarter) => seen[(order as readonly number[]).indexOf(quarter)] ?? []),
        15,
      );
    });
  }

  test('of a HEIC is made from its embedded thumbnail if that is large enough', async () => {
    const bytes = makeHeic({ isThumbnail: true });
    assertQuarters(await quartersOf(await decode(bytes)), 15);
    await assert.rejects(decode(bytes, 1_024), Undecodable);
  });

  test('of a HEIC is that of its primary picture, in the colours of its profile', async () => {
    assertQuarters(await quartersOf(await decode(makeHeic({ hasOther: true }))), 15);
    const wide = await sharp(await orientedJpeg(1))
      .withIccProfile('p3')
      .toBuffer();
    const { icc } = await sharp(wide).metadata();
    const [red] = await quartersOf(await decode(makeHeic({ profile: icc ?? assert.fail() })));
    // The same values are a stronger red in Display P3.
    assert.ok((red?.[0] ?? 0) > QUARTERS[0][0] + 5 && (red?.[1] ?? 255) < QUARTERS[0][1] - 5, String(red));
  });

  test('is never larger than the picture', async () => {
    const thumbnail = await decode((await SOUND_PICTURES['a PNG']?.()) ?? Buffer.alloc(0), 1_024);
    const { width, height } = await sharp(thumbnail).metadata();
    assert.deepEqual([width, height], [WIDTH, HEIGHT]);
  });

  test('keeps transparency', async () => {
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
    await assert.rejects(decode(hugePng()), Undecodable);
    assert.equal(decoder.processCount, 0);
  });

  for (const name of [
    ...['a JPEG', 'a progressive JPEG', 'a PNG', 'a GIF', 'a WebP', 'an AVIF', 'a HEIC', 'a TIFF'],
  ]) {
    const options = { ...(name === 'a JPEG' ? {} : inFull), timeout: LIMIT_MS };
    test(`decodes or rejects ${name} that is truncated anywhere`, options, async () => {
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

  test('decodes a photo with damage in the middle', async () => {
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

  test('ends a process whose picture arrives too slowly, without blaming the picture', inFull, async () => {
    const hasty = new PictureDecoder({ readingMs: 20 });
    after(() => hasty.close());
    const stalled = new Readable({ read: () => undefined });
    const decoding = hasty.decode({ size: 256, length: 9 }, async () => stalled);
    await assert.rejects(decoding, DecodingInterrupted);
    assert.deepEqual([hasty.processCount, stalled.destroyed], [0, true]);
  });

  test('passes on the error of a source, and remains usable', async () => {
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
    const died = assert.rejects(dying, DecodingInterrupted);
    await new Promise(setImmediate);
    process.kill(first ?? 0, 'SIGKILL');
    await died;
    assert.ok((await decode(picture, 256, own)).length > 0);
    assert.notEqual(own.processIds[0], first);
  });

  test('fails with a clear error when too many files are open to start a process', async () => {
    const own = new PictureDecoder();
    // Fails as Node does: without pipes, and with an event.
    const spawning = mock.method(
      ChildProcess.prototype as unknown as { spawn(): number },
      'spawn',
      function (this: ChildProcess) {
        process.nextTick(() =>
          this.emit('error', Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' })),
        );
        return -24;
      },
    );
    await assert.rejects(decode(largestPng(), 256, own), /^Failure: Too many files are open\.$/);
    await nextTurn();
    assert.equal(own.processCount, 0);
    spawning.mock.restore();
    await own.close();
  });

  test('starts no process after it was closed', async () => {
    const closed = new PictureDecoder();
    await closed.close();
    await assert.rejects(decode(largestPng(), 256, closed), /stopping/);
    assert.equal(closed.processCount, 0);
  });
});
