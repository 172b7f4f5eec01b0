/** The error for damaged bytes, with zlib's error code. */
export function damaged(): Error {
  return Object.assign(new Error('The compressed bytes are damaged.'), { code: 'Z_DATA_ERROR' });
}

/** Reads the bits of bytes that arrive in chunks, the lowest bit of each byte first. */
export class BitReader {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #held = 0;
  /** The number of bits held. All whole bytes among them come from the current chunk. */
  #count = 0;

  /** The number of whole bytes that have arrived but have not been read. */
  get available(): number {
    return this.#bytes.byteLength - this.#at + (this.#count >>> 3);
  }

  add(chunk: Uint8Array): void {
    this.#releaseBytes();
    const rest = this.#bytes.subarray(this.#at);
    this.#bytes = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    this.#at = 0;
  }

  /** The next 15 bits, without consuming them. Bits beyond the end are 0. */
  peek(): number {
    this.#hold();
    return this.#held & 0x7fff;
  }

  /** Skips bits that were peeked at. @throws Error if there are fewer bits */
  skip(count: number): void {
    if (count > this.#count) throw damaged();
    this.#held >>>= count;
    this.#count -= count;
  }

  /** Reads at most 16 bits. @throws Error if there are fewer bits */
  read(count: number): number {
    this.#hold();
    const value = this.#held & ((1 << count) - 1);
    this.skip(count);
    return value;
  }

  /** Skips the rest of the current byte. */
  align(): void {
    this.skip(this.#count & 7);
  }

  /** Returns up to `max` of the bytes that have arrived. Call {@link align} first. */
  readBytes(max: number): Uint8Array {
    this.#releaseBytes();
    const bytes = this.#bytes.subarray(this.#at, this.#at + max);
    this.#at += bytes.byteLength;
    return bytes;
  }

  /** Fetches bits until at least 25 are held, or none are left. */
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
