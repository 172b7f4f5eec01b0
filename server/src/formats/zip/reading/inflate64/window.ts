import { damaged } from './bit-reader.ts';

/** How far back Deflate64 copies. */
const WINDOW_BYTES = 64 * 1_024;
const CHUNK_BYTES = 64 * 1_024;
const MAX_COPY_BYTES = 65_538;

/** What was unpacked: the bytes that were not taken yet, and those before them that can be copied. */
export class Window {
  readonly #bytes = Buffer.allocUnsafe(WINDOW_BYTES + CHUNK_BYTES + MAX_COPY_BYTES);
  #at = WINDOW_BYTES;
  /** Bytes before the untaken ones that were unpacked. */
  #past = 0;

  /** How many more bytes make a chunk. Not positive when {@link take} is due. */
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

  /** At most as many as there is room for. */
  addBytes(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.byteLength;
  }

  /** Repeats bytes, which may overlap with what is added. @throws Error if nothing is so far back */
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
