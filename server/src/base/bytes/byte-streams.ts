import { createHash, type Hash } from 'node:crypto';
import { finished, Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

/** What is known of bytes once all of them have passed. */
export interface ByteDigest {
  readonly size: number;
  /** SHA-256, 64 lower-case hex digits. */
  readonly sha256: string;
  /** CRC-32 as in ZIP (ISO 3309), unsigned. */
  readonly crc32: number;
}

/** Takes size, SHA-256 and CRC-32 of bytes that pass it, chunk by chunk. */
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

  /** Ends the count; call once. */
  digest(): ByteDigest {
    return { size: this.#size, sha256: this.#hash.digest('hex'), crc32: this.#crc32 };
  }
}

/** So many chunks may wait before the stream is told to pause. */
const MOST_WAITING = 16;

/**
 * The chunks of a stream as they came. Its own iterator joins those that wait into one, which copies every byte of a
 * fast upload once more. Ends with the stream's error; leaves the stream as it is when nobody wants more.
 */
export async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let end: { error: unknown } | undefined;
  let wake = () => {};
  const onData = (chunk: Uint8Array) => {
    if (waiting.push(chunk) >= MOST_WAITING) stream.pause();
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

/** A stream that fills the memory of chunks again which its reader is done with, if the reader says so. */
export abstract class ReusingStream extends Readable {
  /** The chunk's bytes will not be looked at any more. Optional: what is not given back is left to the collector. */
  abstract release(chunk: Uint8Array): void;
}
