import { setImmediate as turn } from 'node:timers/promises';
import { BitReader, damaged } from './bit-reader.ts';
import { type BlockCodes, getFixedCodes, readCodes } from './block-header.ts';

/** More bytes than any block header or symbol has. */
const LOOKAHEAD_BYTES = 1_024;
/** The number of blocks whose tables are built before other work gets a turn. */
const MAX_HEADERS = 8;

const END_OF_BLOCK = 256;
const LITERALS = 256;
const LENGTH_BASES = [
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115],
  ...[131, 163, 195, 227, 3],
] as const;
const LENGTH_BITS = [
  ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 16],
] as const;

/**
 * Unpacks Deflate64, which zlib does not support. It is Deflate (RFC 1951) with a window of 64 KiB, 16 extra
 * bits in the last length code, and two more distance codes. Unpacking uses about 200 KB of memory, and lets
 * other work run after each 64 KiB.
 * @throws Error with a code `Z_…` if the bytes are damaged, or bytes follow the end
 */
export async function* inflate64(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bits = new BitReader();
  const window = new Window();
  const decoder = new Decoder(bits, window);
  for await (const chunk of packed) {
    bits.add(chunk);
    yield* decode(decoder, bits, window, LOOKAHEAD_BYTES);
  }
  yield* decode(decoder, bits, window, 0);
  if (!decoder.isOver || bits.available > 0) throw damaged();
}

/** @param reserve how many bytes must have arrived before a header or symbol is read */
async function* decode(
  decoder: Decoder,
  bits: BitReader,
  window: Window,
  reserve: number,
): AsyncGenerator<Uint8Array> {
  while (!decoder.isOver && decoder.step(reserve)) {
    if (window.room <= 0) yield window.take();
    await turn();
  }
  if (bits.available > LOOKAHEAD_BYTES && decoder.isOver) throw damaged();
  if (!window.isEmpty) yield window.take();
}

class Decoder {
  readonly #bits: BitReader;
  readonly #window: Window;
  #codes: BlockCodes | undefined;
  /** The bytes of a stored block that are still to be copied. */
  #storedBytes = 0;
  #isLastBlock = false;

  constructor(bits: BitReader, window: Window) {
    this.#bits = bits;
    this.#window = window;
  }

  get isOver(): boolean {
    return this.#isLastBlock && this.#isBetweenBlocks;
  }

  get #isBetweenBlocks(): boolean {
    return this.#codes === undefined && this.#storedBytes === 0;
  }

  /** Unpacks at most one chunk. Returns false if it needs more packed bytes. */
  step(reserve: number): boolean {
    for (let headers = 0; this.#window.room > 0 && !this.isOver; ) {
      if (this.#storedBytes > 0) {
        if (!this.#copyStored(reserve)) return false;
      } else if (this.#codes !== undefined) {
        if (!this.#readSymbols(this.#codes, reserve)) return false;
      } else {
        if (this.#bits.available < reserve) return false;
        if (headers === MAX_HEADERS) return true;
        headers += 1;
        this.#readHeader();
      }
    }
    return true;
  }

  #readHeader(): void {
    this.#isLastBlock = this.#bits.read(1) === 1;
    const type = this.#bits.read(2);
    if (type === 3) throw damaged();
    if (type === 0) this.#readStoredHeader();
    else this.#codes = type === 1 ? getFixedCodes() : readCodes(this.#bits);
  }

  #readStoredHeader(): void {
    this.#bits.align();
    const length = this.#bits.read(16);
    if ((length ^ this.#bits.read(16)) !== 0xffff) throw damaged();
    this.#storedBytes = length;
  }

  #copyStored(reserve: number): boolean {
    const bytes = this.#bits.readBytes(Math.min(this.#storedBytes, this.#window.room));
    this.#window.addBytes(bytes);
    this.#storedBytes -= bytes.byteLength;
    if (bytes.byteLength > 0) return true;
    if (reserve === 0) throw damaged();
    return false;
  }

  /** Returns false if it needs more packed bytes. */
  #readSymbols({ literals, distances }: BlockCodes, reserve: number): boolean {
    const bits = this.#bits;
    const window = this.#window;
    while (window.room > 0) {
      if (bits.available < reserve) return false;
      const symbol = literals.read(bits);
      if (symbol < LITERALS) window.addByte(symbol);
      else if (symbol === END_OF_BLOCK) {
        this.#codes = undefined;
        return true;
      } else {
        const length = readLength(bits, symbol - 257);
        window.repeat(length, readDistance(bits, distances.read(bits)));
      }
    }
    return true;
  }
}

function readLength(bits: BitReader, code: number): number {
  const base = LENGTH_BASES[code];
  if (base === undefined) throw damaged();
  return base + bits.read(LENGTH_BITS[code] ?? 0);
}

/** From the fifth code on, each pair of codes has one extra bit more than the pair before. */
function readDistance(bits: BitReader, code: number): number {
  if (code < 4) return code + 1;
  const more = (code >>> 1) - 1;
  return 1 + ((2 + (code & 1)) << more) + bits.read(more);
}

/** How far back Deflate64 can copy from. */
const WINDOW_BYTES = 64 * 1_024;
const CHUNK_BYTES = 64 * 1_024;
const MAX_COPY_BYTES = 65_538;

/** The unpacked bytes: those not taken yet, and those before them that can still be copied. */
class Window {
  readonly #bytes = Buffer.allocUnsafe(WINDOW_BYTES + CHUNK_BYTES + MAX_COPY_BYTES);
  #at = WINDOW_BYTES;
  /** The number of taken bytes that can still be copied. */
  #past = 0;

  /** How many bytes are missing from a full chunk. Not positive when {@link take} is due. */
  get room(): number {
    return WINDOW_BYTES + CHUNK_BYTES - this.#at;
  }

  get isEmpty(): boolean {
    return this.#at === WINDOW_BYTES;
  }

  addByte(byte: number): void {
    this.#bytes[this.#at] = byte;
    this.#at += 1;
  }

  /** Adds bytes, at most as many as there is room for. */
  addBytes(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.byteLength;
  }

  /** Repeats earlier bytes, which may overlap the new ones. @throws Error if the distance is too large */
  repeat(length: number, distance: number): void {
    if (distance > this.#at - WINDOW_BYTES + this.#past) throw damaged();
    const end = this.#at + length;
    for (let at = this.#at; at < end; at += 1) this.#bytes[at] = this.#bytes[at - distance] ?? 0;
    this.#at = end;
  }

  take(): Uint8Array {
    const taken = Buffer.from(this.#bytes.subarray(WINDOW_BYTES, this.#at));
    this.#past = Math.min(WINDOW_BYTES, this.#past + taken.byteLength);
    this.#bytes.copyWithin(0, this.#at - WINDOW_BYTES, this.#at);
    this.#at = WINDOW_BYTES;
    return taken;
  }
}
