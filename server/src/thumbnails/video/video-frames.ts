import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HOUR, SECOND, systemClock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { prepareChild } from '../../child-processes/prepare-child.ts';
import { DecodingInterrupted, Undecodable } from '../decoder/decoding-children.ts';
import { DRAWN_SIDE } from '../drawn-side.ts';
import { findProgram } from './find-program.ts';

/** The time for one frame, including the start of the program. */
const DECODING_MS = 10 * SECOND;
/** The time for reading the bytes of a video, which may come from a distant store. */
const READING_MS = 60 * SECOND;
/** The temporary copy of a video is never needed for this long. */
const ABANDONED_MS = HOUR;

const MAX_MEMORY_BYTES = 1024 ** 3;
/** More than an uncompressed frame of the largest size takes. */
const MAX_FRAME_BYTES = 8 * 1024 ** 2;
/**
 * The positions of the frame in seconds, in the order of trying. Many videos begin with a black frame; some
 * are shorter than a second.
 */
const POSITIONS = ['1', '0'];

/**
 * The containers that may be read. The program also supports playlists, which are never allowed because they
 * name other files and addresses.
 */
const CONTAINERS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,ogg,flv,asf';

/** Takes frames from videos with ffmpeg, each in a separate process. */
export class VideoFrames {
  readonly #program: string;
  readonly #limiter: string | undefined;
  readonly #directory: string;
  readonly #running = new Set<ChildProcess>();
  readonly #decodingMs: number;
  readonly #readingMs: number;
  readonly #closing = new AbortController();

  /**
   * @param programs.limiter `prlimit`; undefined if the system does not have it
   * @param directory for temporary files; nothing else may use it
   */
  constructor(
    programs: { readonly ffmpeg: string; readonly limiter: string | undefined },
    directory: string,
    { decodingMs = DECODING_MS, readingMs = READING_MS } = {},
  ) {
    this.#program = programs.ffmpeg;
    this.#limiter = programs.limiter;
    this.#directory = directory;
    this.#decodingMs = decodingMs;
    this.#readingMs = readingMs;
  }

  /**
   * Finds the programs on the path; undefined without ffmpeg. Removes the leftovers of a crash from the
   * directory.
   */
  static async find(paths: string | undefined, directory: string): Promise<VideoFrames | undefined> {
    const ffmpeg = await findProgram('ffmpeg', paths);
    if (ffmpeg === undefined) return undefined;
    await removeAbandoned(directory);
    return new VideoFrames({ ffmpeg, limiter: await findProgram('prlimit', paths) }, directory);
  }

  /** Whether the system limits the memory of the program. */
  get isLimited(): boolean {
    return this.#limiter !== undefined;
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /**
   * Takes a frame. Meanwhile the bytes are in a temporary file, because most videos have their table of
   * contents at the end.
   * @param open opens the bytes of the video, which must be `length` bytes
   * @returns a PNG
   * @throws Undecodable; DecodingInterrupted, even for a video that cannot be read in time; Failure
   *   `unavailable` when the service stops; an error of the source
   */
  async take(length: number, open: () => Promise<Readable>): Promise<Buffer> {
    await removeAbandoned(this.#directory);
    await mkdir(this.#directory, { recursive: true, mode: 0o750 });
    const directory = await mkdtemp(path.join(this.#directory, 'video-'));
    try {
      const file = path.join(directory, 'video');
      await this.#copy(await open(), file, length);
      for (const position of POSITIONS) {
        const frame = await this.#run(directory, file, position);
        if (frame.length > 0) return frame;
      }
      throw new Undecodable('The video has no frame.');
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** Ends all processes, and never starts new ones. */
  close(): void {
    this.#closing.abort();
    for (const child of this.#running) child.kill('SIGKILL');
  }

  async #copy(source: Readable, file: string, length: number): Promise<void> {
    const timeout = AbortSignal.timeout(this.#readingMs);
    try {
      await store(source, file, length, AbortSignal.any([timeout, this.#closing.signal]));
    } catch (error) {
      if (this.#isClosed) throw stopping();
      if (timeout.aborted) throw new DecodingInterrupted('Reading the video took too long.');
      throw error;
    }
  }

  /** Returns the output of the program, which is empty if there is no frame at the position. */
  #run(directory: string, file: string, position: string): Promise<Buffer> {
    if (this.#isClosed) throw stopping();
    const [program = '', ...args] = [...this.#limits(), this.#program, ...toArguments(file, position)];
    const child = spawn(program, args, {
      cwd: directory,
      // Passes on nothing from the service's environment, which contains its secrets.
      env: { PATH: '', TMPDIR: directory },
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    // Without a listener, the error of a process that cannot be started would end the service.
    child.once('error', reject);
    promise.catch(() => undefined);
    prepareChild(child);
    this.#running.add(child);
    const fail = (error: Error) => {
      reject(error);
      child.kill('SIGKILL');
    };
    const timer = setTimeout(
      () => fail(new DecodingInterrupted('Decoding took too long.')),
      this.#decodingMs,
    );
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_FRAME_BYTES) fail(new Undecodable('The frame is too large.'));
      else chunks.push(chunk);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      this.#running.delete(child);
      if (this.#isClosed) reject(stopping());
      else if (code === 0) resolve(Buffer.concat(chunks));
      // The kernel sends SIGKILL when memory runs out.
      else if (signal === 'SIGKILL') reject(new DecodingInterrupted('The program was killed.'));
      else reject(new Undecodable('The program could not read the video.'));
    });
    return promise;
  }

  /** The arguments that limit memory and processor time, and disallow writing files. */
  #limits(): readonly string[] {
    if (this.#limiter === undefined) return [];
    const seconds = Math.ceil(this.#decodingMs / SECOND) * 2;
    return [this.#limiter, `--as=${MAX_MEMORY_BYTES}`, `--cpu=${seconds}`, '--fsize=0', '--core=0', '--'];
  }
}

function toArguments(file: string, position: string): readonly string[] {
  return [
    ...['-nostdin', '-v', 'error', '-max_alloc', String(MAX_MEMORY_BYTES / 4), '-threads', '1'],
    ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS],
    ...['-ss', position, '-i', file, '-map', '0:v:0', '-frames:v', '1', '-map_metadata', '-1'],
    ...[
      '-vf',
      `scale=w='min(iw,${DRAWN_SIDE})':h='min(ih,${DRAWN_SIDE})':force_original_aspect_ratio=decrease`,
    ],
    ...['-filter_threads', '1', '-threads', '1', '-c:v', 'png', '-f', 'image2pipe', 'pipe:1'],
  ];
}

function stopping(): Failure {
  return new Failure('unavailable', 'The service is stopping.');
}

/**
 * Removes temporary files too old to be in use. Several instances may share the directory.
 */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const place = path.join(directory, name);
    const stats = await stat(place).catch(() => undefined);
    if (stats !== undefined && systemClock.now() - stats.mtimeMs > ABANDONED_MS)
      await rm(place, { recursive: true, force: true });
  }
}

/** @throws Error if the source has more or fewer bytes than `length`; the reason of the signal */
async function store(source: Readable, file: string, length: number, signal: AbortSignal): Promise<void> {
  let stored = 0;
  await pipeline(
    source,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        stored += chunk.length;
        if (stored > length) throw new Error(`The video has more than ${length} bytes.`);
        yield Buffer.from(chunk);
      }
    },
    createWriteStream(file, { mode: 0o600 }),
    { signal },
  );
  if (stored < length) throw new Error(`The video has ${stored} bytes instead of ${length}.`);
}
