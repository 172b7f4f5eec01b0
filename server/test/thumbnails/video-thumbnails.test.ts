// tier: default
// runs on: sqlite
// needs: ffmpeg, process
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import sharp from 'sharp';
import { inFull } from '../../../tools/testing/tiers.ts';
import { systemClock } from '../../src/base/clock.ts';
import { DecodingInterrupted, Undecodable } from '../../src/thumbnails/decoder/decoding-children.ts';
import { findProgram } from '../../src/thumbnails/video/find-program.ts';
import { VideoFrames } from '../../src/thumbnails/video/video-frames.ts';
import { startHoldall } from '../support/app/holdall.ts';

const directory = await mkdtemp(path.join(tmpdir(), 'videos-'));
after(() => rm(directory, { recursive: true, force: true }));
const ffmpeg = (await findProgram('ffmpeg', process.env.PATH)) ?? assert.fail('There is no ffmpeg.');

/** Makes a video with ffmpeg: a red area. @param more arguments before the name of the file */
async function make(
  name: string,
  size: string,
  seconds: number,
  ...more: string[]
): Promise<Buffer<ArrayBuffer>> {
  const file = path.join(directory, name);
  const source = `color=c=red:s=${size}:d=${seconds}:r=10`;
  const args = ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', source, ...more, file];
  const [code] = await once(spawn(ffmpeg, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'close');
  assert.equal(code, 0);
  return Buffer.from(await readFile(file));
}

const longer = await make('longer.mp4', '640x320', 3, '-c:v', 'mpeg4');
const short = await make('short.mp4', '64x32', 0.5, '-c:v', 'mpeg4');

// The service finds a program that counts its runs and then becomes ffmpeg.
const runs = path.join(directory, 'runs');
await mkdir(path.join(directory, 'bin'));
const counting = `#!/bin/sh\necho run >> ${runs}\nexec ${ffmpeg} "$@"\n`;
await writeFile(path.join(directory, 'bin', 'ffmpeg'), counting, { mode: 0o755 });
const countRuns = async () => (await readFile(runs, 'utf8').catch(() => '')).split('run').length - 1;

const ordinaryPath = process.env.PATH;
process.env.PATH = path.join(directory, 'bin');
const lines: string[] = [];
const holdall = await startHoldall({
  env: { HOLDALL_VIDEO_THUMBNAILS: 'on' },
  logger: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
});
process.env.PATH = ordinaryPath;
const temporary = path.join(holdall.dataDir, 'thumbnails', 'videos');
const alice = await holdall.register('alice');

describe('a video', () => {
  test('has a thumbnail with a frame of it, in both sizes', async () => {
    for (const [name, bytes, expected] of [
      ['longer.mp4', longer, [256, 128]],
      ['short.mp4', short, [64, 32]],
    ] as const) {
      const file = await alice.upload(`/${name}`, bytes, 'video/mp4');
      assert.ok(file.thumbnailVersion);
      const response = await alice.fetch('GET', `/api/v2/files/${file.id}/thumbnail?size=256`);
      assert.equal(response.status, 200, name);
      const picture = sharp(await response.arrayBuffer());
      const { format, width, height } = await picture.metadata();
      assert.deepEqual([format, width, height], ['webp', ...expected]);
      const { dominant } = await picture.stats();
      assert.ok(dominant.r > 200 && dominant.g < 60 && dominant.b < 60, JSON.stringify(dominant));
    }
  });

  test('is read once for both sizes, whether they are asked for together or one after the other', async () => {
    const together = await alice.upload('/together.mp4', longer, 'video/mp4');
    const before = await countRuns();
    const ask = (file: { id: number }, size: number) =>
      alice.fetch('GET', `/api/v2/files/${file.id}/thumbnail?size=${size}`);
    const both = await Promise.all([ask(together, 256), ask(together, 1024)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    assert.equal(await countRuns(), before + 1);
    const apart = await alice.upload('/apart.mp4', Buffer.concat([longer, Buffer.alloc(1)]), 'video/mp4');
    for (const [size, width] of [
      [1024, 640],
      [256, 256],
    ] as const) {
      const response = await ask(apart, size);
      assert.equal((await sharp(await response.arrayBuffer()).metadata()).width, width);
    }
    assert.equal(await countRuns(), before + 2);
  });

  test('that is not really one is 415, and leaves no temporary file', async () => {
    const playlist = '#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n';
    for (const content of ['not a video', playlist, longer.subarray(0, 200)]) {
      const file = await alice.upload(`/${randomUUID()}.mp4`, content, 'video/mp4');
      const address = `/api/v2/files/${file.id}/thumbnail?size=256`;
      await alice.refused(415, 2415, 'GET', address);
    }
    assert.deepEqual(await readdir(temporary), []);
  });

  test('is copied to a directory from which a start removes the leftovers of crashes', async () => {
    const abandoned = path.join(temporary, 'video-abandoned');
    await mkdir(abandoned, { recursive: true });
    await writeFile(path.join(abandoned, 'video'), longer);
    const inUse = path.join(temporary, 'video-in-use');
    await mkdir(inUse);
    const old = new Date(systemClock.now() - 2 * 3_600_000);
    await utimes(abandoned, old, old);
    await VideoFrames.find(path.dirname(ffmpeg), temporary);
    assert.deepEqual(await readdir(temporary), ['video-in-use']);
    await rm(inUse, { recursive: true });
  });

  test('is decoded without a memory limit if prlimit is missing, which is logged once', () => {
    const warnings = lines.filter((line) => line.includes('prlimit'));
    assert.equal(warnings.length, 1);
  });

  test('has no thumbnail if video thumbnails are off', async () => {
    const plain = await startHoldall();
    const bob = await plain.register('bob');
    const file = await bob.upload('/longer.mp4', longer, 'video/mp4');
    assert.equal(file.thumbnailVersion, null);
    await bob.refused(415, 2415, 'GET', `/api/v2/files/${file.id}/thumbnail?size=256`);
  });
});

describe('ffmpeg', () => {
  /** Replaces ffmpeg by a script. */
  async function fake(script: string, decodingMs?: number, readingMs?: number): Promise<VideoFrames> {
    const file = path.join(directory, `fake-${randomUUID()}`);
    await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const times = {
      ...(decodingMs === undefined ? {} : { decodingMs }),
      ...(readingMs === undefined ? {} : { readingMs }),
    };
    return new VideoFrames({ ffmpeg: file, limiter: undefined }, path.join(directory, 'copies'), times);
  }
  const take = (frames: VideoFrames, bytes = short) =>
    frames.take(bytes.length, async () => Readable.from([bytes]));

  test('is killed when it runs too long or writes too much', inFull, async () => {
    await assert.rejects(take(await fake('exec /bin/sleep 600', 200)), DecodingInterrupted);
    await assert.rejects(take(await fake('exec /bin/cat /dev/zero', 60_000)), Undecodable);
  });

  test('is killed when the service stops', inFull, async () => {
    const frames = await fake(`exec /bin/sleep 600`, 60_000);
    const taken = take(frames);
    taken.catch(() => undefined);
    const watch = setInterval(() => frames.close(), 50);
    await assert.rejects(taken, /stopping/).finally(() => clearInterval(watch));
  });

  test(
    'is not started for a video that cannot be read in time, which is not marked as broken',
    inFull,
    async () => {
      const frames = await fake('echo frame', 60_000, 100);
      const never = new Readable({ read: () => {} });
      await assert.rejects(
        frames.take(10, async () => never),
        (error) => error instanceof DecodingInterrupted && /too long/.test(error.message),
      );
      assert.ok(never.destroyed);
    },
  );

  test('is not started, and the copy ends, when the service stops', inFull, async () => {
    const frames = await fake('echo frame', 60_000, 600_000);
    const never = new Readable({ read: () => {} });
    const taken = frames.take(10, async () => never);
    taken.catch(() => undefined);
    const watch = setInterval(() => frames.close(), 50);
    await assert.rejects(taken, /stopping/).finally(() => clearInterval(watch));
    assert.ok(never.destroyed);
    assert.deepEqual(await readdir(path.join(directory, 'copies')), []);
  });

  test('gets neither the environment of the service, nor formats and protocols naming other files', async () => {
    const seen = path.join(directory, 'seen');
    process.env.HOLDALL_SECRET_OF_TEST = 'secret';
    const frames = await fake(`/usr/bin/env > ${seen}; echo "$@" >> ${seen}; echo frame`);
    assert.equal((await take(frames)).toString(), 'frame\n');
    const text = await readFile(seen, 'utf8');
    assert.doesNotMatch(text, /secret/i);
    assert.match(text, /-protocol_whitelist file -format_whitelist \S*mp4/);
    assert.doesNotMatch(text, /hls|concat|http/);
  });
});
