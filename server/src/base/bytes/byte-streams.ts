import { createHash, type Hash } from 'node:crypto';
import { finished, Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

/** Size and checksums of a byte sequence. */
export interface ByteDigest {
  readonly size: number;
  /** SHA-256, 64 lower-case hex digits. */
  readonly sha256: string;
  /** CRC-32 as in ZIP (ISO 3309), unsigned. */
  readonly crc32: number;
}

/** Computes size, SHA-256 and CRC-32 of a byte sequence, chunk by chunk. */
export class ByteCounter {
  #size = 0;
  #crc32 = 0;
  readonly #hash: Hash = createHash('sha256');

  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    this.#crc32 = crc32(chunk, this.#crc32);
    this.#hash.update(chunk);
  }

  get size(): number {
    return this.#size;
  }

  /** Finishes the computation; may be called only once. */
  digest(): ByteDigest {
    return { size: this.#size, sha256: this.#hash.digest('hex'), crc32: this.#crc32 };
  }
}

/** The stream is paused when this many chunks wait for the reader. */
const MAX_WAITING_CHUNKS = 16;

/**
 * After this many chunks the stream is paused until the next turn of the event loop. Otherwise Node reads up
 * to 32 chunks from one fast connection before it looks at the others, and four uploads would delay every
 * other request by 10 ms.
 */
const MAX_CHUNKS_PER_TURN = 4;

/**
 * The chunks of a stream as they arrive. Node's own iterator joins waiting chunks into one, which copies
 * every byte of a fast upload again. Throws the error of the stream. When the reader stops early, the stream
 * is paused, not destroyed.
 * @param toError translates an error of the stream
 */
export function chunksOf(stream: Readable, toError?: (error: unknown) => unknown): StreamChunks {
  return new StreamChunks(stream, toError);
}

/** See {@link chunksOf}. A class, because a generator could not be stopped while it waits for a chunk. */
class StreamChunks implements AsyncIterableIterator<Uint8Array> {
  readonly #stream: Readable;
  readonly #waiting: Uint8Array[] = [];
  readonly #stopWatching: () => void;
  #end: { readonly error: unknown } | undefined;
  #chunksInTurn = 0;
  #wake = () => {};

  constructor(stream: Readable, toError = (error: unknown) => error) {
    this.#stream = stream;
    this.#stopWatching = finished(stream, { writable: false }, (error) => {
      this.#end ??= { error: error ? toError(error) : undefined };
      this.#wake();
    });
    stream.on('data', this.#onData);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const value = this.#waiting.shift();
      if (value !== undefined) return { done: false, value };
      if (this.#end !== undefined) break;
      if (this.#mayReceive() && this.#stream.isPaused()) this.#stream.resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const { error } = this.#end;
    this.#close(undefined);
    if (error) throw error;
    return END;
  }

  /** Ends the reading. A call of `next` that waits for a chunk resolves with the end. */
  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#close(undefined);
    return END;
  }

  /** Ends the reading with an error, which `next` throws, even if it waits for a chunk. */
  stop(error: unknown): void {
    this.#close(error);
  }

  readonly #onData = (chunk: Uint8Array) => {
    this.#waiting.push(chunk);
    if (this.#chunksInTurn === 0) setImmediate(this.#beginTurn);
    this.#chunksInTurn += 1;
    if (!this.#mayReceive()) this.#stream.pause();
    this.#wake();
  };

  readonly #beginTurn = () => {
    const wasPaused = !this.#mayReceive();
    this.#chunksInTurn = 0;
    if (wasPaused && this.#mayReceive() && this.#end === undefined) this.#stream.resume();
  };

  #mayReceive(): boolean {
    return this.#waiting.length < MAX_WAITING_CHUNKS && this.#chunksInTurn < MAX_CHUNKS_PER_TURN;
  }

  #close(error: unknown): void {
    this.#end = { error };
    this.#waiting.length = 0;
    this.#stopWatching();
    this.#stream.off('data', this.#onData);
    this.#stream.pause();
    this.#wake();
  }
}

const END = { done: true, value: undefined } as const;

/**
 * Frees the memory of a chunk that no one will use any more. The garbage collector would do that too, but the
 * chunks of a fast upload make it run a full collection every 25 MB, which takes longer than everything else.
 * A chunk that shares its memory with others is left to the collector.
 */
export function freeChunk(chunk: Uint8Array): void {
  const { buffer } = chunk;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.byteLength) buffer.transfer(0);
}

/** A stream that reuses the memory of chunks that its reader has released, also for other streams. */
export abstract class ReusingStream extends Readable {
  /**
   * Allows others to overwrite the chunk. Optional: the garbage collector frees chunks that are not released.
   */
  abstract release(chunk: Uint8Array): void;
}

/** The chunks of a stream. Each is released when the reader asks for the next one. */
export async function* releasingChunks(stream: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    yield chunk;
    if (stream instanceof ReusingStream) stream.release(chunk);
  }
}

/** Small enough for the buffers of a connection, so that a slow reader keeps only little in memory. */
const PIECE_BYTES = 64 * 1_024;

/** Texts as UTF-8, in pieces of at most 64 KiB. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
  }
}
