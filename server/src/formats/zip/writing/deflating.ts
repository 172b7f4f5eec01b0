// Deflates (RFC 1951) block by block, with one call on the thread pool for each block. A block uses the end
// of the previous one as its dictionary, and ends at a byte boundary (a sync flush). So the blocks together
// are one deflate stream.
//
// A zlib stream of Node would also work, but costs more for each chunk. For zeros it reaches a ratio of
// 1,030, and our own extraction rejects ratios above 1,000 as a zip bomb. The sync flush of each block keeps
// the ratio lower.

import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib';
import { Semaphore } from '../../../base/concurrency/semaphore.ts';

const BLOCK_BYTES = 128 * 1_024;

/** The window of deflate. */
const DICTIONARY_BYTES = 32 * 1_024;

/** An empty final block (section 3.2.6). */
const END_OF_STREAM = Buffer.from([0x03, 0x00]);

/** Up to this size deflating takes less than 0.1 ms, which is less than handing it to a thread would take. */
const SYNC_BYTES = 8 * 1_024;

const deflate = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw);

/** Makes one call on the thread pool at a time, because other work shares the pool. */
export class Deflater {
  readonly #semaphore = new Semaphore(1);

  /** Deflates all bytes of an entry into a complete stream. */
  async whole(bytes: Uint8Array): Promise<Uint8Array> {
    const options = optionsFor(bytes.byteLength);
    if (bytes.byteLength <= SYNC_BYTES) return deflateRawSync(bytes, options);
    return await this.#semaphore.run(() => deflate(bytes, options));
  }

  /**
   * Deflates one block of a stream.
   * @param previous the block before it
   */
  block(bytes: Uint8Array, previous?: Uint8Array): Promise<Uint8Array> {
    const dictionary = previous?.subarray(-DICTIONARY_BYTES);
    const options = { finishFlush: constants.Z_SYNC_FLUSH, ...(dictionary && { dictionary }) };
    return this.#semaphore.run(() => deflate(bytes, options));
  }

  /** The bytes that must follow the last block. */
  get end(): Uint8Array {
    return END_OF_STREAM;
  }
}

/**
 * Limits the memory that zlib allocates in every call. By default it takes 256 KiB, but 4 KiB of input need
 * only 32 KiB.
 */
function optionsFor(size: number): ZlibOptions {
  const windowBits = Math.min(Math.max(Math.ceil(Math.log2(size + 1)), 9), 15);
  return {
    windowBits,
    memLevel: Math.min(windowBits - 6, 8),
    chunkSize: Math.max(64, Math.min(size, 16_384)),
  };
}

/** Regroups bytes into blocks of {@link BLOCK_BYTES}; only the last one may be shorter. */
export async function* blocksOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let missing = BLOCK_BYTES;
  for await (const chunk of source) {
    let rest = chunk;
    while (rest.byteLength >= missing) {
      pieces.push(rest.subarray(0, missing));
      rest = rest.subarray(missing);
      yield join(pieces);
      pieces = [];
      missing = BLOCK_BYTES;
    }
    if (rest.byteLength === 0) continue;
    pieces.push(rest);
    missing -= rest.byteLength;
  }
  if (pieces.length > 0) yield join(pieces);
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
