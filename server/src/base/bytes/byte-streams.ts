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
 * The chunks of a stream as they arrive. Node's own iterator joins waiting chunks into one, which copies
 * every byte of a fast upload again. Throws the error of the stream. When the reader stops early, the stream
 * is paused, not destroyed.
 */
export async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let end: { error: unknown } | undefined;
  let wake = () => {};
  const onData = (chunk: Uint8Array) => {
    if (waiting.push(chunk) >= MAX_WAITING_CHUNKS) stream.pause();
    wake();
  };
  const stopWatching = finished(stream, { writable: false }, (error) => {
    end = { error };
    wake();
  });
  stream.on('data', onData);
  try {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk !== undefined) yield chunk;
      else if (end?.error) throw end.error;
      else if (end !== undefined) return;
      else {
        if (stream.isPaused()) stream.resume();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    stopWatching();
    stream.off('data', onData);
    stream.pause();
  }
}

/** A stream that reuses the memory of chunks that its reader has released. */
export abstract class ReusingStream extends Readable {
  /**
   * Allows the stream to overwrite the chunk. Optional: the garbage collector frees chunks that are not
   * released.
   */
  abstract release(chunk: Uint8Array): void;
}
