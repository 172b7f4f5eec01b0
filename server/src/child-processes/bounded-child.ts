import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { SECOND } from '../base/clock.ts';
import {
  type Answered,
  AnswerReader,
  type AnswerRules,
  type ChildRequest,
  READY,
  toRequestHead,
} from './messages.ts';
import { prepareChild } from './prepare-child.ts';

/** The environment variables that the process needs to start. The service's secrets are not among them. */
const INHERITED = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR', 'TEMP'];

/** The time until a new process must be ready. Usually it takes 0.2 seconds. */
const STARTING_MS = 30 * SECOND;

/** The process died over the file. */
export class ChildCrashed extends Error {
  /** Whether an earlier file or a lack of memory may be the cause. In a new process the file may be fine. */
  readonly isDoubtful: boolean;

  constructor(reason: string, isDoubtful: boolean) {
    super(reason);
    this.name = 'ChildCrashed';
    this.isDoubtful = isDoubtful;
  }
}

/** The process sent an invalid answer. Probably a file has taken it over. */
export class ChildMisbehaved extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ChildMisbehaved';
  }
}

/** The work took too long, or the process was killed. The file may be fine and the computer busy. */
export class ChildInterrupted extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ChildInterrupted';
  }
}

/** The process was killed from elsewhere, such as by the kernel when memory ran out. */
export class ChildKilled extends ChildInterrupted {}

export interface ChildProgram<T> {
  /** A script that calls `serveFiles`. */
  readonly script: URL;
  /** Its arguments. */
  readonly args?: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly answers: AnswerRules<T>;
}

export interface ChildLimits {
  /** The time for the work, from the last byte of the file on. */
  readonly workMs: number;
  /** The time for reading the bytes of a file, which may come from a distant store. */
  readonly readingMs: number;
}

/** The file that is being processed. */
interface Work<T> {
  readonly reader: AnswerReader<T>;
  readonly succeed: (answer: Answered<T>) => void;
  readonly fail: (error: Error) => void;
}

/** A child process that processes one file at a time. */
export class BoundedChild<T> {
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #exited: Promise<unknown>;
  readonly #answers: AnswerRules<T>;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Whether the process has loaded its code. */
  #isReady = false;
  readonly #ready = Promise.withResolvers<void>();
  #isKilled = false;
  /** The number of files that it has got. */
  #files = 0;
  #work: Work<T> | undefined;

  /**
   * @param onExit called when the process has ended
   * @throws Failure `unavailable` if too many files are open
   */
  constructor({ script, args = [], nodeOptions = [], answers }: ChildProgram<T>, onExit: () => void) {
    this.#answers = answers;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#exited = promise;
    const end = (_code?: number | null, signal?: NodeJS.Signals | null) => {
      clearTimeout(this.#idleTimer);
      this.#isKilled = true;
      this.#work?.fail(this.#toExitError(signal ?? null));
      onExit();
      resolve();
    };
    const words = ['--no-warnings', ...nodeOptions, fileURLToPath(script), ...args];
    const child = spawn(process.execPath, words, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: environment(),
      windowsHide: true,
    });
    // Without a listener, the error of a process that cannot be started would end the service.
    child.on('error', () => undefined);
    prepareChild(child);
    this.#child = child;
    this.#input = child.stdin;
    // Errors of the pipes only mean that the process has ended, which `close` also reports.
    child.stdin.on('error', () => undefined);
    child.stdout.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.once('close', end);
    // The process could not be started.
    child.once('error', () => end());
  }

  get id(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it can process another file. */
  get isUsable(): boolean {
    return !this.#isKilled;
  }

  /**
   * @param file must yield `request.length` bytes
   * @throws ChildCrashed; ChildInterrupted; ChildMisbehaved; an error of the file; the reason of the signal.
   *   The process is not usable afterwards.
   */
  async process(
    request: ChildRequest,
    file: AsyncIterable<Uint8Array>,
    limits: ChildLimits,
    signal?: AbortSignal,
  ): Promise<Answered<T>> {
    const { promise: answered, resolve, reject } = Promise.withResolvers<Answered<T>>();
    answered.catch(() => undefined);
    this.#files += 1;
    this.#work = { reader: new AnswerReader(this.#answers), succeed: resolve, fail: reject };
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    let timer: NodeJS.Timeout | undefined;
    const limit = (ms: number, what: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => reject(new ChildInterrupted(`${what} took too long.`)), ms);
    };
    try {
      signal?.throwIfAborted();
      limit(limits.readingMs, 'Reading the file');
      await Promise.race([this.#send(request, file), answered]);
      limit(STARTING_MS, 'Starting the process');
      await Promise.race([this.#ready.promise, answered]);
      limit(limits.workMs, 'The work');
      return await answered;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#work = undefined;
    }
  }

  endAfter(ms: number): void {
    const end = () => void this.kill(new Error('The process is idle.'));
    this.#idleTimer = setTimeout(end, ms).unref();
  }

  stopIdling(): void {
    clearTimeout(this.#idleTimer);
  }

  /**
   * Kills the process without asking, because it has nothing to finish. Resolves when it has ended.
   * @param reason the error of running work
   */
  async kill(reason: Error): Promise<void> {
    this.#isKilled = true;
    this.#work?.fail(reason);
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  async #send(request: ChildRequest, file: AsyncIterable<Uint8Array>): Promise<void> {
    this.#input.write(toRequestHead(request));
    let sent = 0;
    for await (const chunk of file) {
      sent += chunk.length;
      if (sent > request.length) throw new Error(`The file has more than ${request.length} bytes.`);
      await this.#write(chunk);
    }
    if (sent < request.length) throw new Error(`The file has ${sent} bytes instead of ${request.length}.`);
  }

  /**
   * Resolves when the system has copied the bytes. Ignores errors: if the process has ended, `process` fails
   * anyway.
   */
  #write(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#input.write(chunk, () => resolve());
    });
  }

  /**
   * The error for a process that has ended. A file can crash it, but a kill comes from elsewhere, such as
   * from the kernel when memory runs out. So only a crash is the file's fault.
   */
  #toExitError(signal: NodeJS.Signals | null): Error {
    if (!this.#isReady) return new ChildInterrupted('The process did not start.');
    if (signal === 'SIGKILL' || signal === 'SIGTERM') return new ChildKilled('The process was killed.');
    // V8 ends a process in these ways if it gets no memory.
    const mayLackMemory = signal === 'SIGABRT' || signal === 'SIGTRAP';
    return new ChildCrashed('The process died over the file.', mayLackMemory || this.#files > 1);
  }

  #receive(bytes: Buffer): void {
    const chunk = this.#isReady ? bytes : bytes.subarray(READY.length);
    this.#isReady = true;
    this.#ready.resolve();
    if (chunk.length === 0) return;
    try {
      if (this.#work === undefined) throw new Error('The child process sent bytes without a request.');
      const answer = this.#work.reader.add(chunk);
      if (answer === undefined) return;
      this.#work.succeed(answer);
      this.#work = undefined;
    } catch (error) {
      // The process has been taken over, and could send bytes endlessly.
      void this.kill(new ChildMisbehaved(String(error)));
    }
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
    // Saves memory: one thread works and one writes, and each arena of glibc keeps its own memory.
    UV_THREADPOOL_SIZE: '2',
    MALLOC_ARENA_MAX: '2',
  };
}
