import { ByteCounter, type ByteDigest } from '../../../src/base/bytes/byte-streams.ts';

/** Yields the chunks as a client would send them. */
export async function* send(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** Sends the chunks, then runs `last`, and records whether the receiver closed it. */
export class WatchedSource implements AsyncIterable<Uint8Array> {
  readonly #chunks: readonly Uint8Array[];
  readonly #last: () => Promise<void>;
  /** Resolves when all chunks have been taken. */
  readonly taken = Promise.withResolvers<void>();
  isEnded = false;

  constructor(chunks: readonly Uint8Array[], last: () => Promise<void> = async () => {}) {
    this.#chunks = chunks;
    this.#last = last;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#chunks;
      this.taken.resolve();
      await this.#last();
    } finally {
      this.isEnded = true;
    }
  }
}

export function digestOf(...chunks: readonly Uint8Array[]): ByteDigest {
  const counter = new ByteCounter();
  for (const chunk of chunks) counter.add(chunk);
  return counter.digest();
}

/** Splits bytes at the given positions, which may be in any order. */
export function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [0, ...places.toSorted((a, b) => a - b), bytes.byteLength];
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

/** The bytes from one position to another of an object in which every 64 KiB block repeats its own number. */
export function* numberedBytes(from: number, to: number): Generator<Buffer> {
  const step = 65_536;
  for (let at = from; at < to; ) {
    const end = Math.min(to, (Math.floor(at / step) + 1) * step);
    const number = Buffer.alloc(4);
    number.writeUInt32LE(Math.floor(at / step));
    yield Buffer.alloc(step, number).subarray(at % step, ((end - 1) % step) + 1);
    at = end;
  }
}
