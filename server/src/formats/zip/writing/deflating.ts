// Deflate (RFC 1951) block by block, each in one call on a thread of the pool. The blocks begin with what
// stood before them (the dictionary) and end at a whole byte (a sync flush), so that one behind the other
// they are one stream. A stream of Node's own would do as well, but costs more for each chunk; and it can
// make 1,030 bytes of zeros out of one, while whoever extracts archives refuses more than 1,000 as a bomb:
// what ends every block keeps them below.

import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib';

export const BLOCK_BYTES = 128 * 1_024;

/** How far back Deflate looks. */
const DICTIONARY_BYTES = 32 * 1_024;

/** An empty block that says it is the last: section 3.2.6. */
const END_OF_STREAM = Buffer.from([0x03, 0x00]);

/**
 * Up to here it takes less than a tenth of a millisecond, and to hand it to a thread and back takes longer.
 */
const AT_ONCE_BYTES = 8 * 1_024;

const deflate = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw);

/** Has one call under way at a time: the threads of the pool are for everybody. */
export class Deflater {
  #turn: Promise<unknown> = Promise.resolve();

  /** A stream of its own of all the bytes. */
  async whole(bytes: Uint8Array): Promise<Uint8Array> {
    const options = optionsFor(bytes.byteLength);
    if (bytes.byteLength <= AT_ONCE_BYTES) return deflateRawSync(bytes, options);
    return await this.#inTurn(() => deflate(bytes, options));
  }

  /** @param before what stands before it in the stream, as far as the caller has it */
  block(bytes: Uint8Array, before?: Uint8Array): Promise<Uint8Array> {
    const dictionary = before?.subarray(-DICTIONARY_BYTES);
    const options = { finishFlush: constants.Z_SYNC_FLUSH, ...(dictionary && { dictionary }) };
    return this.#inTurn(() => deflate(bytes, options));
  }

  /** What stands behind the last block. */
  get end(): Uint8Array {
    return END_OF_STREAM;
  }

  async #inTurn(work: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return await turn;
  }
}

/**
 * What Deflate remembers is made anew for every call: a quarter of a MiB, where 4 KiB need no more than 32
 * KiB of it.
 */
function optionsFor(size: number): ZlibOptions {
  const windowBits = Math.min(Math.max(Math.ceil(Math.log2(size + 1)), 9), 15);
  return {
    windowBits,
    memLevel: Math.min(windowBits - 6, 8),
    chunkSize: Math.max(64, Math.min(size, 16_384)),
  };
}

/** The same bytes in blocks of {@link BLOCK_BYTES}; only the last may be shorter. */
export async function* blocksOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let missing = BLOCK_BYTES;
  for await (const chunk of source) {
    let rest = chunk;
    while (rest.byteLength >= missing) {
      gathered.push(rest.subarray(0, missing));
      rest = rest.subarray(missing);
      yield join(gathered);
      gathered = [];
      missing = BLOCK_BYTES;
    }
    if (rest.byteLength === 0) continue;
    gathered.push(rest);
    missing -= rest.byteLength;
  }
  if (gathered.length > 0) yield join(gathered);
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
