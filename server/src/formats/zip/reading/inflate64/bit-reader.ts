/** The error of damaged bytes, with a code as zlib has. */
export function damaged(): Error {
  return Object.assign(new Error('The compressed bytes are damaged.'), { code: 'Z_DATA_ERROR' });
}

/** Reads the bits of bytes that arrive in chunks, the lowest bit of each byte first. */
export class BitReader {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #held = 0;
  /** How many bits are held. All whole bytes of them come from the current chunk. */
  #count = 0;

  /** Whole bytes that have arrived and have not been read. */
  get available(): number {
    return this.#bytes.byteLength - this.#at + (this.#count >>> 3);
  }

  add(chunk: Uint8Array): void {
    this.#releaseBytes();
    const rest = this.#bytes.subarray(this.#at);
    this.#bytes = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    this.#at = 0;
  }

  /** The next 15 bits. Those behind the end are 0. */
  peek(): number {
    this.#hold();
    return this.#held & 0x7fff;
  }

  /** Passes over bits that were peeked at. @throws Error if there are not so many */
  skip(count: number): void {
    if (count > this.#count) throw damaged();
    this.#held >>>= count;
    this.#count -= count;
  }

  /** At most 16 bits. @throws Error if there are not so many */
  read(count: number): number {
    this.#hold();
    const value = this.#held & ((1 << count) - 1);
    this.skip(count);
    return value;
  }

  /** Passes over the rest of a byte. */
  align(): void {
    this.skip(this.#count & 7);
  }

  /** At most that many of the bytes that have arrived. Only after {@link align}. */
  readBytes(max: number): Uint8Array {
    this.#releaseBytes();
    const bytes = this.#bytes.subarray(this.#at, this.#at + max);
    this.#at += bytes.byteLength;
    return bytes;
  }

  /** Holds at least 25 bits, if there are so many. */
  #hold(): void {
    while (this.#count <= 24 && this.#at < this.#bytes.byteLength) {
      this.#held |= (this.#bytes[this.#at] ?? 0) << this.#count;
      this.#at += 1;
      this.#count += 8;
    }
  }

  #releaseBytes(): void {
    this.#at -= this.#count >>> 3;
    this.#count &= 7;
    this.#held &= (1 << this.#count) - 1;
  }
}
