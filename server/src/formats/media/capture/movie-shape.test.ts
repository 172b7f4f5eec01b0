// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { box } from '../../../../test/support/media/media-files.ts';
import { RangedBytes } from '../../ranged-bytes.ts';
import { findMovieShape } from './movie-shape.ts';

const shapeOf = (type: string, bytes: Buffer) => findMovieShape(type, RangedBytes.of(bytes));

/** The header of a movie or track; version 1 has longer times. */
function header(numbers: Readonly<Record<number, number>>, length: number, version: 0 | 1 = 0): Buffer {
  const content = Buffer.alloc(length);
  content[0] = version;
  for (const [at, value] of Object.entries(numbers)) content.writeUInt32BE(value, Number(at));
  return content;
}

const SOUND = box('trak', box('tkhd', header({}, 84)));
const picture = (width: number, height: number, matrix: Readonly<Record<number, number>> = { 40: 65_536 }) =>
  box('trak', box('tkhd', header({ ...matrix, 76: width * 65_536, 80: height * 65_536 }, 84)));
const movie = (...boxes: readonly Buffer[]) =>
  Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0')),
    box('mdat', Buffer.alloc(500)),
    box('moov', ...boxes),
  ]);

describe('the shape of a movie', () => {
  test('is in its header and in its first track with a picture', async () => {
    const bytes = movie(box('mvhd', header({ 12: 600, 16: 4_530 }, 100)), SOUND, picture(1_920, 1_080));
    assert.deepEqual(await shapeOf('video/mp4', bytes), { width: 1_920, height: 1_080, duration: 7.55 });
  });

  test('is turned if the phone was held upright', async () => {
    const bytes = movie(picture(1_920, 1_080, { 44: 65_536, 52: 4_294_901_760 }));
    assert.deepEqual(await shapeOf('video/quicktime', bytes), { width: 1_080, height: 1_920 });
  });

  test('is found in headers with long times', async () => {
    const track = box('trak', box('tkhd', header({ 52: 65_536, 88: 65_536 * 640, 92: 65_536 * 480 }, 96, 1)));
    const bytes = movie(box('mvhd', header({ 20: 1_000, 28: 61_000 }, 112, 1)), track);
    assert.deepEqual(await shapeOf('video/mp4', bytes), { width: 640, height: 480, duration: 61 });
  });

  test('has the length of Matroska in its own unit', async () => {
    const duration = Buffer.alloc(8);
    duration.writeDoubleBE(2_500);
    const scale = Buffer.from([0x0f, 0x42, 0x40]);
    const info = element('1549a966', element('2ad7b1', scale), element('4489', duration));
    const bytes = Buffer.concat([element('1a45dfa3', Buffer.alloc(4)), element('18538067', info)]);
    assert.deepEqual(await shapeOf('video/webm', bytes), { duration: 2.5 });
  });

  test('is unknown if its length is impossible, or there is none', async () => {
    for (const numbers of [{}, { 16: 5 }, { 12: 600 }, { 12: 1, 16: 4_294_967_295 }])
      assert.deepEqual(await shapeOf('video/mp4', movie(box('mvhd', header(numbers, 100)))), {});
    assert.deepEqual(await shapeOf('video/mp4', movie()), {});
    assert.deepEqual(await shapeOf('video/x-msvideo', movie(picture(4, 3))), {});
    assert.deepEqual(await shapeOf('image/png', Buffer.alloc(10)), {});
  });

  test('never fails, whatever the bytes are', async () => {
    const whole = movie(box('mvhd', header({ 12: 600, 16: 4_530 }, 100)), SOUND, picture(1_920, 1_080));
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('video/mp4', 'video/webm'),
        fc.nat(whole.length),
        changes,
        async (type, length, changed) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changed) bytes[at] = value;
          await shapeOf(type, bytes.subarray(0, length));
        },
      ),
    );
  });
});

/** An element of Matroska. @param id in hexadecimal digits */
function element(id: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(0x10000000 + content.length);
  return Buffer.concat([Buffer.from(id, 'hex'), length, content]);
}
