// Random access to bytes that are far away. An archive of 50,000 small files, read entry by entry, would be
// 100,000 small requests to an object store; its bytes lie one behind the other, so they are fetched in
// windows of some MiB, the next one while this one is used.

import type { ByteRange } from '../../../base/bytes/byte-range.ts';
import { ZipFault } from './fault.ts';

/** Where the bytes of an archive come from. */
export interface ArchiveBytes {
  readonly size: number;
  /** All bytes of a range at once. */
  read(range: ByteRange): Promise<Buffer>;
  /** A range as a stream. */
  open(range: ByteRange): Promise<AsyncIterable<Uint8Array>>;
}

const WINDOW_BYTES = 4 * 1_024 * 1_024;

/** This one, the next, and one in which somebody may still be. */
const MOST_WINDOWS = 3;

interface Window {
  readonly loading: Promise<Buffer>;
  bytes: Buffer | undefined;
}

export class ByteWindows {
  readonly size: number;
  readonly #source: ArchiveBytes;
  readonly #windowBytes: number;
  readonly #signal: AbortSignal | undefined;
  /** By their numbers, the one used last at the end. */
  readonly #windows = new Map<number, Window>();

  /** @param signal no more is read once it has ended */
  constructor(source: ArchiveBytes, options: { signal?: AbortSignal; windowBytes?: number } = {}) {
    this.size = source.size;
    this.#source = source;
    this.#signal = options.signal;
    this.#windowBytes = options.windowBytes ?? WINDOW_BYTES;
  }

  /** The bytes where they are in memory already. They are shared: nobody writes into them. */
  peek(position: number, length: number): Buffer | undefined {
    const number = Math.floor(position / this.#windowBytes);
    const bytes = this.#windows.get(number)?.bytes;
    const at = position - number * this.#windowBytes;
    return bytes !== undefined && at + length <= bytes.byteLength
      ? bytes.subarray(at, at + length)
      : undefined;
  }

  /** @throws ZipFault when the archive has not as many */
  async get(position: number, length: number): Promise<Buffer> {
    this.#signal?.throwIfAborted();
    if (!(position >= 0 && position + length <= this.size)) throw truncated();
    const present = this.peek(position, length);
    if (present !== undefined || length === 0) return present ?? Buffer.alloc(0);
    const pieces: Buffer[] = [];
    for (let at = position; at < position + length; ) {
      const number = Math.floor(at / this.#windowBytes);
      const bytes = await this.#load(number);
      const start = number * this.#windowBytes;
      const end = Math.min(start + bytes.byteLength, position + length);
      pieces.push(bytes.subarray(at - start, end - start));
      at = end;
    }
    const [only] = pieces;
    return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
  }

  /**
   * More bytes than are worth to be kept, past the windows. @throws ZipFault when the archive has not as many
   */
  async *stream(position: number, length: number): AsyncGenerator<Uint8Array> {
    this.#signal?.throwIfAborted();
    if (!(position >= 0 && position + length <= this.size)) throw truncated();
    if (length > 0) yield* await this.#source.open({ start: position, end: position + length - 1 });
  }

  async #load(number: number): Promise<Buffer> {
    const window = this.#windows.get(number) ?? this.#begin(number);
    this.#windows.delete(number);
    this.#windows.set(number, window);
    // Whoever comes from the window before goes on to the one behind.
    if (this.#windows.has(number - 1) && (number + 1) * this.#windowBytes < this.size) {
      if (!this.#windows.has(number + 1)) this.#begin(number + 1);
    }
    for (const oldest of this.#windows.keys()) {
      if (this.#windows.size <= MOST_WINDOWS) break;
      this.#windows.delete(oldest);
    }
    return await window.loading;
  }

  #begin(number: number): Window {
    const start = number * this.#windowBytes;
    const end = Math.min(start + this.#windowBytes, this.size) - 1;
    const window: Window = { loading: this.#source.read({ start, end }), bytes: undefined };
    this.#windows.set(number, window);
    window.loading.then(
      (bytes) => {
        window.bytes = bytes;
      },
      // Whoever waits for it hears of it; the next one who asks tries again.
      () => this.#windows.delete(number),
    );
    return window;
  }
}

function truncated(): ZipFault {
  return new ZipFault('The archive is damaged or cut off: it speaks of bytes that it does not have.');
}
