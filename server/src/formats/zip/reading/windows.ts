// Random access to a remote archive. Reading 50,000 small files one by one would take 100,000 small requests
// to an object store. Entries are mostly read in order, so the archive is fetched in windows of a few MiB.
// The next window is loaded while the current one is used.

import type { ByteRange } from '../../../base/bytes/byte-range.ts';
import { ZipFault } from './fault.ts';

/** Access to the stored bytes of an archive. */
export interface ArchiveBytes {
  readonly size: number;
  /** Reads a range into memory. */
  read(range: ByteRange): Promise<Buffer>;
  /** Opens a range as a stream. */
  open(range: ByteRange): Promise<AsyncIterable<Uint8Array>>;
}

const WINDOW_BYTES = 4 * 1_024 * 1_024;

/** The current window, the next one, and the previous one, which may still be in use. */
const MAX_WINDOWS = 3;

interface Window {
  readonly loading: Promise<Buffer>;
  bytes: Buffer | undefined;
}

export class ByteWindows {
  readonly size: number;
  readonly #source: ArchiveBytes;
  readonly #windowBytes: number;
  readonly #signal: AbortSignal | undefined;
  /** Windows by their number; the most recently used one is last. */
  readonly #windows = new Map<number, Window>();

  /** @param signal once it is aborted, nothing more is read */
  constructor(source: ArchiveBytes, options: { signal?: AbortSignal; windowBytes?: number } = {}) {
    this.size = source.size;
    this.#source = source;
    this.#signal = options.signal;
    this.#windowBytes = options.windowBytes ?? WINDOW_BYTES;
  }

  /** The bytes if they are in memory, otherwise undefined. They are shared and must not be written to. */
  peek(position: number, length: number): Buffer | undefined {
    const number = Math.floor(position / this.#windowBytes);
    const bytes = this.#windows.get(number)?.bytes;
    const at = position - number * this.#windowBytes;
    return bytes !== undefined && at + length <= bytes.byteLength
      ? bytes.subarray(at, at + length)
      : undefined;
  }

  /** Reads bytes through the windows. @throws ZipFault when the archive is too short */
  async get(position: number, length: number): Promise<Buffer> {
    this.#signal?.throwIfAborted();
    if (!(position >= 0 && position + length <= this.size)) throw truncated();
    const present = this.peek(position, length);
    if (present !== undefined || length === 0) return present ?? Buffer.alloc(0);
    const pieces: Buffer[] = [];
    for (let at = position; at < position + length; ) {
      const number = Math.floor(at / this.#windowBytes);
      const bytes = await this.#getWindow(number);
      const start = number * this.#windowBytes;
      const end = Math.min(start + bytes.byteLength, position + length);
      pieces.push(bytes.subarray(at - start, end - start));
      at = end;
    }
    const [only] = pieces;
    return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
  }

  /** Reads many bytes without keeping them in windows. @throws ZipFault when the archive is too short */
  async *stream(position: number, length: number): AsyncGenerator<Uint8Array> {
    this.#signal?.throwIfAborted();
    if (!(position >= 0 && position + length <= this.size)) throw truncated();
    if (length > 0) yield* await this.#source.open({ start: position, end: position + length - 1 });
  }

  async #getWindow(number: number): Promise<Buffer> {
    const window = this.#windows.get(number) ?? this.#startLoad(number);
    this.#windows.delete(number);
    this.#windows.set(number, window);
    // A caller that has read the previous window will probably read the next one.
    if (this.#windows.has(number - 1) && (number + 1) * this.#windowBytes < this.size) {
      if (!this.#windows.has(number + 1)) this.#startLoad(number + 1);
    }
    for (const oldest of this.#windows.keys()) {
      if (this.#windows.size <= MAX_WINDOWS) break;
      this.#windows.delete(oldest);
    }
    return await window.loading;
  }

  #startLoad(number: number): Window {
    const start = number * this.#windowBytes;
    const end = Math.min(start + this.#windowBytes, this.size) - 1;
    const window: Window = { loading: this.#source.read({ start, end }), bytes: undefined };
    this.#windows.set(number, window);
    window.loading.then(
      (bytes) => {
        window.bytes = bytes;
      },
      // Callers that wait for this window get the error. The next call tries again.
      () => this.#windows.delete(number),
    );
    return window;
  }
}

function truncated(): ZipFault {
  return new ZipFault('The archive is damaged or incomplete: it refers to bytes after its end.');
}
