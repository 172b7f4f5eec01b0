import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { constants, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ReusingStream } from '../../base/bytes/byte-streams.ts';
import { SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { threadScript } from '../../base/thread-script.ts';
import { checkHasPipes } from '../child-pipes.ts';
import { type DecoderAnswer, type DecoderRequest, READY, readAnswer, toRequestHead } from './answer.ts';

/**
 * The time for decoding, from the last byte of the picture on. A HEIC of 48 megapixels takes 8 seconds on two
 * busy cores.
 */
const DECODING_MS = 20 * SECOND;

/** The time for reading the bytes of a picture, which may come from a distant store. */
const READING_MS = 30 * SECOND;

/** A process takes about 90 MB, so it ends after being idle for this long. */
const IDLE_MS = 10 * SECOND;

/**
 * A process that takes more memory than this after its work is replaced, because the library does not free
 * all memory.
 */
const MAX_IDLE_BYTES = 250 * 1024 ** 2;

/** The environment variables that the process needs to start. The service's secrets are not among them. */
const INHERITED = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR', 'TEMP'];

/** The time until a new process must be ready. Usually it takes 0.2 seconds. */
const STARTING_MS = 30 * SECOND;

/** There is no thumbnail, because the bytes are not a picture or decoding it takes too much memory. */
export class Undecodable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Undecodable';
  }
}

/** The picture could not be decoded in time. It was made to be slow, or the computer is busy. */
export class DecodingInterrupted extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'DecodingInterrupted';
  }
}

/**
 * Makes thumbnails in child processes, which can be killed at any moment. The caller limits how many pictures
 * are decoded at the same time, and so the number of processes.
 */
export class PictureDecoder {
  readonly #limits: { readonly decodingMs: number; readonly readingMs: number };
  readonly #all = new Set<DecoderProcess>();
  readonly #idle: DecoderProcess[] = [];
  #isClosed = false;

  /** @param limits shorter times; only tests set them */
  constructor(limits: { decodingMs?: number; readingMs?: number } = {}) {
    this.#limits = { decodingMs: DECODING_MS, readingMs: READING_MS, ...limits };
  }

  /** The number of running processes, including idle ones. */
  get processCount(): number {
    return this.#all.size;
  }

  /** The ids of the processes, for tests. */
  get processIds(): readonly number[] {
    return [...this.#all].flatMap(({ id }) => id ?? []);
  }

  /**
   * @param open opens the bytes of the picture, which must be `request.length` bytes
   * @returns a WebP
   * @throws Undecodable; DecodingInterrupted; an error of the source
   */
  async decode(request: DecoderRequest, open: () => Promise<Readable>): Promise<Buffer> {
    const source = await open();
    try {
      if (this.#isClosed) throw new Failure('unavailable', 'The service is stopping.');
      return await this.#decode(request, source);
    } finally {
      source.destroy();
    }
  }

  /** Ends all processes, and never starts new ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((process) => process.kill('The service is stopping.')));
  }

  async #decode(request: DecoderRequest, source: Readable): Promise<Buffer> {
    const decoder = this.#take();
    let answer: DecoderAnswer;
    try {
      answer = await decoder.decode(request, source, this.#limits);
    } catch (error) {
      await decoder.kill('The process is not usable.');
      throw error;
    }
    if (answer.memoryBytes > MAX_IDLE_BYTES) await decoder.kill('The process takes too much memory.');
    else this.#keep(decoder);
    if (answer.thumbnail === undefined) throw new Undecodable('The bytes are not a picture.');
    return answer.thumbnail;
  }

  /** An idle process, or a new one. */
  #take(): DecoderProcess {
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      idle.stopIdling();
      return idle;
    }
    const made: DecoderProcess = new DecoderProcess(() => {
      this.#all.delete(made);
      const place = this.#idle.indexOf(made);
      if (place !== -1) this.#idle.splice(place, 1);
    });
    this.#all.add(made);
    return made;
  }

  #keep(decoder: DecoderProcess): void {
    if (!this.#all.has(decoder)) return;
    this.#idle.push(decoder);
    decoder.endAfter(IDLE_MS);
  }
}

/** A child process that decodes one picture at a time. */
class DecoderProcess {
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #exited: Promise<unknown>;
  #idleTimer: NodeJS.Timeout | undefined;
  /** The bytes of the current answer that have arrived so far. */
  #received = Buffer.alloc(0);
  /** Whether the process has loaded its code. */
  #isReady = false;
  #onReady: () => void = () => undefined;
  #succeed: (answer: DecoderAnswer) => void = () => undefined;
  #fail: (error: Error) => void = () => undefined;

  /** @param onExit called when the process has ended */
  constructor(onExit: () => void) {
    const script = fileURLToPath(threadScript('decoder-process', import.meta.url));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#exited = promise;
    const end = (_code?: number | null, signal?: NodeJS.Signals | null) => {
      clearTimeout(this.#idleTimer);
      this.#fail(this.#toExitError(signal ?? null));
      onExit();
      resolve();
    };
    const child = spawn(process.execPath, ['--no-warnings', script], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: environment(),
      windowsHide: true,
    });
    // Without a listener, the error of a process that cannot be started would end the service.
    child.on('error', () => undefined);
    checkHasPipes(child);
    this.#child = child;
    this.#input = child.stdin;
    // Errors of the pipes only mean that the process has ended, which `close` also reports.
    child.stdin.on('error', () => undefined);
    child.stdout.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.once('close', end);
    // The process could not be started.
    child.once('error', () => end());
    if (child.pid !== undefined) lowerPriority(child.pid);
  }

  get id(): number | undefined {
    return this.#child.pid;
  }

  async decode(
    request: DecoderRequest,
    source: Readable,
    limits: { readonly decodingMs: number; readonly readingMs: number },
  ): Promise<DecoderAnswer> {
    const { promise: answered, resolve, reject } = Promise.withResolvers<DecoderAnswer>();
    answered.catch(() => undefined);
    this.#received = Buffer.alloc(0);
    this.#succeed = resolve;
    this.#fail = reject;
    let timer: NodeJS.Timeout | undefined;
    const limit = (ms: number, what: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => reject(new DecodingInterrupted(`${what} took too long.`)), ms);
    };
    try {
      limit(limits.readingMs, 'Reading the picture');
      await Promise.race([this.#send(request, source), answered]);
      limit(STARTING_MS, 'Starting the process');
      await Promise.race([this.#ready(), answered]);
      limit(limits.decodingMs, 'Decoding');
      return await answered;
    } finally {
      clearTimeout(timer);
      this.#fail = () => undefined;
    }
  }

  endAfter(ms: number): void {
    this.#idleTimer = setTimeout(() => void this.kill('The process is idle.'), ms).unref();
  }

  stopIdling(): void {
    clearTimeout(this.#idleTimer);
  }

  /** Kills the process without asking, because it has nothing to finish. Resolves when it has ended. */
  async kill(reason: string): Promise<void> {
    this.#fail(new Error(reason));
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  async #send(request: DecoderRequest, source: Readable): Promise<void> {
    this.#input.write(toRequestHead(request));
    let sent = 0;
    for await (const chunk of source as AsyncIterable<Buffer>) {
      sent += chunk.length;
      if (sent > request.length) throw new Error(`The picture has more than ${request.length} bytes.`);
      await this.#write(chunk);
      if (source instanceof ReusingStream) source.release(chunk);
    }
    if (sent < request.length) throw new Error(`The picture has ${sent} bytes instead of ${request.length}.`);
  }

  /**
   * Resolves when the system has copied the bytes. Ignores errors: if the process has ended, `decode` fails
   * anyway.
   */
  #write(chunk: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#input.write(chunk, () => resolve());
    });
  }

  #ready(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#isReady) resolve();
    this.#onReady = resolve;
    return promise;
  }

  /**
   * The error for a process that has ended. A picture can crash it, but a kill comes from elsewhere, such as
   * from the kernel when memory runs out. So only a crash is the picture's fault.
   */
  #toExitError(signal: NodeJS.Signals | null): Error {
    if (!this.#isReady) return new DecodingInterrupted('The process did not start.');
    return signal === 'SIGKILL' || signal === 'SIGTERM'
      ? new DecodingInterrupted('The process was killed.')
      : new Undecodable('The process died over the picture.');
  }

  #receive(bytes: Buffer): void {
    const chunk = this.#isReady ? bytes : bytes.subarray(READY.length);
    this.#isReady = true;
    this.#onReady();
    this.#received = Buffer.concat([this.#received, chunk]);
    try {
      const answer = readAnswer(this.#received);
      if (answer !== undefined) this.#succeed(answer);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** Lowers the priority of the process, so that decoding does not slow down the service. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already ended, or the system has no priorities.
  }
}

function environment(): NodeJS.ProcessEnv {
  const kept = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const cache = getCompileCacheDir?.();
  return {
    ...Object.fromEntries(kept),
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
    // Saves memory: one thread decodes and one writes, and each arena of glibc keeps its own memory.
    UV_THREADPOOL_SIZE: '2',
    MALLOC_ARENA_MAX: '2',
  };
}
