const WINDOW_BYTES = 64 * 1024;
/** More windows than the headers of any real file need. */
const MAX_WINDOWS = 32;

/**
 * Random access to a few bytes of a large file. It fetches windows of 64 KiB, and only a limited number of
 * them.
 */
export class RangedBytes {
  /** Size of the whole file in bytes. */
  readonly size: number;
  readonly #fetch: (start: number, length: number) => Promise<Uint8Array>;
  #start = 0;
  #window: Uint8Array = new Uint8Array();
  #windowCount = 0;

  /** @param fetch must return exactly `length` bytes; never called for bytes beyond the end */
  constructor(size: number, fetch: (start: number, length: number) => Promise<Uint8Array>) {
    this.size = size;
    this.#fetch = fetch;
  }

  /** Random access to bytes in memory. */
  static of(bytes: Uint8Array): RangedBytes {
    return new RangedBytes(bytes.length, async (start, length) => bytes.subarray(start, start + length));
  }

  /** Returns undefined if there are fewer bytes, or the limit of windows is reached. */
  async readExactly(start: number, length: number): Promise<Buffer | undefined> {
    const found = await this.read(start, length);
    return found === undefined || found.length < length
      ? undefined
      : Buffer.from(found.buffer, found.byteOffset, found.byteLength);
  }

  /** A part of the file as if it were a file, which shares the limit of windows. */
  part({ start, length }: { readonly start: number; readonly length: number }): RangedBytes {
    const size = Math.max(0, Math.min(length, this.size - start));
    return new RangedBytes(
      size,
      async (at, count) => (await this.read(start + at, count)) ?? new Uint8Array(),
    );
  }

  /**
   * Reads at most one window. Returns fewer bytes than requested only at the end of the file, and undefined
   * when the limit of windows is reached.
   */
  async read(start: number, length: number): Promise<Uint8Array | undefined> {
    const end = Math.min(start + Math.min(length, WINDOW_BYTES), this.size);
    if (end <= start) return new Uint8Array();
    if (start < this.#start || end > this.#start + this.#window.length) {
      this.#windowCount += 1;
      if (this.#windowCount > MAX_WINDOWS) return undefined;
      this.#window = await this.#fetch(start, Math.min(WINDOW_BYTES, this.size - start));
      this.#start = start;
    }
    return this.#window.subarray(start - this.#start, end - this.#start);
  }
}
