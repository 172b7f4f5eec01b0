const WINDOW_BYTES = 64 * 1024;
/** More than any real file needs for its headers. */
const MOST_WINDOWS = 32;

/**
 * Reads a few bytes here and there in something long, in pieces that are worth a request, and not many of
 * them.
 */
export class RangedBytes {
  /** Of the whole. */
  readonly size: number;
  readonly #fetch: (start: number, length: number) => Promise<Uint8Array>;
  #start = 0;
  #window: Uint8Array = new Uint8Array();
  #windows = 0;

  /** @param fetch gives just so many bytes; never asked for some behind the end */
  constructor(size: number, fetch: (start: number, length: number) => Promise<Uint8Array>) {
    this.size = size;
    this.#fetch = fetch;
  }

  /**
   * At most one window's worth; fewer bytes than asked for only at the end. Undefined when too much was read
   * before.
   */
  async read(start: number, length: number): Promise<Uint8Array | undefined> {
    const end = Math.min(start + Math.min(length, WINDOW_BYTES), this.size);
    if (end <= start) return new Uint8Array();
    if (start < this.#start || end > this.#start + this.#window.length) {
      this.#windows += 1;
      if (this.#windows > MOST_WINDOWS) return undefined;
      this.#window = await this.#fetch(start, Math.min(WINDOW_BYTES, this.size - start));
      this.#start = start;
    }
    return this.#window.subarray(start - this.#start, end - this.#start);
  }
}
