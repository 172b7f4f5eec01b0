import { performance } from 'node:perf_hooks';
import type { Readable } from 'node:stream';
import { releasingChunks } from '../base/bytes/byte-streams.ts';
import { MINUTE, SECOND } from '../base/clock.ts';
import { withTimeLimit } from '../base/concurrency/time-limit.ts';
import { toError } from '../base/errors.ts';
import { Failure } from '../base/failure.ts';
import { isStorableUtf8 } from '../base/text/storable-text.ts';
import { threadScript } from '../base/thread-script.ts';
import { BoundedChildren, ChildCrashed, ChildInterrupted } from '../child-processes/bounded-children.ts';
import { confinementOf } from '../child-processes/confinement.ts';
import type { ChildAnswer } from '../child-processes/messages.ts';
import { FORMAT_NAMES, findFormat, HEAD_BYTES, MAX_PLAIN_BYTES } from './formats.ts';
import { HAS_TEXT, type NoTextReason, toReason } from './no-text.ts';
import { HIT_END, HIT_START, MAX_TEXT_BYTES } from './text-collector.ts';

export { ChildKilled } from '../child-processes/bounded-children.ts';
export type { NoTextReason } from './no-text.ts';
export { HIT_END, HIT_START, MAX_TEXT_BYTES } from './text-collector.ts';

/** Larger files have no text. */
export const MAX_FILE_BYTES = 64 * 1_024 * 1_024;

/** The processor time that a file may take. */
const PROCESSOR_MS = 10 * SECOND;

/** The time for a file. It is long, because other processes go first on a busy machine. */
const WORK_MS = MINUTE;

/** The time for waiting for the bytes of a file, which may come from a distant store. */
const READING_MS = MINUTE;

/**
 * The text of a file, or why there is none. `try-again` is not the fault of the file: no process could be
 * started, the machine was too busy, or its memory ran out.
 */
export type Extraction =
  | { readonly text: string }
  | { readonly reason: NoTextReason }
  | { readonly reason: 'try-again'; readonly cause: Error };

/** The bytes of a file could not be read. The `cause` is the error of their source. */
export class SourceError extends Error {
  override name = 'SourceError';

  constructor(cause: unknown) {
    super(toError(cause).message, { cause });
  }
}

interface FileFacts {
  readonly name: string;
  /** The size of the file in bytes. */
  readonly size: number;
}

interface ProcessOptions {
  readonly signal: AbortSignal;
  /** Whether the process must be a new one. */
  readonly isFresh: boolean;
}

/**
 * Takes text from files in child processes. The caller limits how many files are processed at the same time.
 * See `docs/decisions/0026-texts-are-taken-from-files-in-child-processes.md`.
 */
export class TextExtraction {
  readonly #children: BoundedChildren<Extraction>;
  readonly #readingMs: number;

  /** @param limits other times; only tests set them */
  constructor({ processorMs = PROCESSOR_MS, workMs = WORK_MS, readingMs = READING_MS } = {}) {
    this.#readingMs = readingMs;
    const script = threadScript('text-process', import.meta.url);
    this.#children = new BoundedChildren(
      {
        script,
        args: [String(processorMs)],
        nodeOptions: confinementOf(),
        answers: { maxBodyBytes: MAX_TEXT_BYTES, read: readAnswer },
      },
      // More than the time for the source, so what took too long is known.
      { workMs, readingMs: 2 * readingMs },
    );
  }

  /** The ids of the processes, for tests. */
  get processIds(): readonly number[] {
    return this.#children.processIds;
  }

  /**
   * Takes the text from a file. It is well-formed, in NFC, at most 1 MiB in UTF-8, and contains neither
   * control characters nor U+E000 and U+E001. Lines are separated by single line breaks.
   * @param openBytes opens the bytes of the file. Not all of them are read if the first ones suffice.
   * @throws SourceError; ChildMisbehaved; Error if the file has another size; the reason of the signal
   */
  async extract(
    openBytes: () => Promise<Readable>,
    { name, size }: FileFacts,
    signal: AbortSignal,
  ): Promise<Extraction> {
    signal.throwIfAborted();
    if (size === 0) return { text: '' };
    if (size > MAX_FILE_BYTES) return { reason: 'over-limit' };
    const attempt = (isFresh: boolean) => this.#attempt(openBytes, { name, size }, { signal, isFresh });
    try {
      return await attempt(false).catch((error) => {
        if (error instanceof ChildCrashed && error.isDoubtful) return attempt(true);
        throw error;
      });
    } catch (error) {
      signal.throwIfAborted();
      return toExtraction(error);
    }
  }

  /** Ends all processes, and never starts new ones. */
  async close(): Promise<void> {
    await this.#children.close();
  }

  async #attempt(
    openBytes: () => Promise<Readable>,
    facts: FileFacts,
    options: ProcessOptions,
  ): Promise<Extraction> {
    const { signal } = options;
    const source = await openBytes().catch((error) => {
      throw new SourceError(error);
    });
    const stop = () => void source.destroy(signal.reason);
    signal.addEventListener('abort', stop);
    try {
      signal.throwIfAborted();
      return await this.#process(source, facts, options);
    } finally {
      signal.removeEventListener('abort', stop);
      source.destroy();
    }
  }

  async #process(source: Readable, { name, size }: FileFacts, options: ProcessOptions): Promise<Extraction> {
    const chunks = readSource(source, this.#readingMs);
    const start = await readStart(chunks);
    const format = findFormat(start, name);
    if (format === undefined) return { reason: 'unknown-type' };
    const length = format === 'text' ? Math.min(size, MAX_PLAIN_BYTES) : size;
    const request = { parameter: FORMAT_NAMES.indexOf(format), length };
    return await this.#children.process(request, firstBytes(start, chunks, { length, size }), options);
  }
}

/**
 * @param maxMs the time for waiting for the source. A store that sends nothing is like one that is gone.
 * @throws SourceError, which tells its errors from those of the process
 */
async function* readSource(source: Readable, maxMs: number): AsyncGenerator<Uint8Array> {
  const chunks = releasingChunks(source);
  let leftMs = maxMs;
  try {
    for (;;) {
      const beganAt = performance.now();
      const { done, value } = await withTimeLimit(chunks.next(), leftMs, late);
      if (done === true) return;
      leftMs -= performance.now() - beganAt;
      yield value;
    }
  } catch (error) {
    throw new SourceError(error);
  }
}

function late(): Failure {
  return new Failure('unavailable', 'The storage does not respond.');
}

/** Reads chunks until they have the bytes that decide about the format. */
async function readStart(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for (let length = 0; length < HEAD_BYTES; ) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    // A copy, because the chunk may be overwritten.
    read.push(Buffer.from(value));
    length += value.length;
  }
  return Buffer.concat(read);
}

/**
 * The first bytes of a file. Reads on to the end only if all bytes are wanted, so a file with too many
 * bytes is noticed.
 */
async function* firstBytes(
  start: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  { length, size }: { readonly length: number; readonly size: number },
): AsyncGenerator<Uint8Array> {
  let missing = length;
  const take = (chunk: Uint8Array) => {
    const taken = length < size ? chunk.subarray(0, missing) : chunk;
    missing -= taken.length;
    return taken;
  };
  yield take(start);
  if (length < size && missing === 0) return;
  for await (const chunk of rest) {
    yield take(chunk);
    if (length < size && missing === 0) return;
  }
}

const HIT_MARKS = [HIT_START, HIT_END].map((mark) => Buffer.from(mark));

/** Undefined for an invalid answer: a file may have taken over the process. */
function readAnswer({ outcome, body }: ChildAnswer): Extraction | undefined {
  if (outcome === HAS_TEXT) {
    const isValid = isStorableUtf8(body) && !HIT_MARKS.some((mark) => body.includes(mark));
    return isValid ? { text: body.toString() } : undefined;
  }
  const reason = toReason(outcome);
  return reason === undefined || body.length > 0 ? undefined : { reason };
}

/** @throws the error if it is not about the process */
function toExtraction(error: unknown): Extraction {
  if (error instanceof ChildCrashed) return { reason: 'damaged' };
  const hasNoProcess = error instanceof Failure && error.kind === 'unavailable';
  if (hasNoProcess || error instanceof ChildInterrupted) return { reason: 'try-again', cause: error };
  throw error;
}
