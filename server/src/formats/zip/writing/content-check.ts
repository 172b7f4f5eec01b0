import { addAbortSignal, Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

/** What is known about an entry's bytes before they are read. */
interface KnownContent {
  readonly path: string;
  readonly size: number;
  readonly crc32: number | null;
}

/** Compares the bytes of an entry with the announced size and CRC. */
export class ContentCheck {
  readonly #known: KnownContent;
  readonly #onBytes: ((bytes: number) => void) | undefined;
  #size = 0;
  #crc32 = 0;

  /** @param onBytes called with the size of every chunk */
  constructor(known: KnownContent, onBytes?: (bytes: number) => void) {
    this.#known = known;
    this.#onBytes = onBytes;
  }

  pass(chunk: Uint8Array): Uint8Array {
    this.#size += chunk.byteLength;
    if (this.#size > this.#known.size) throw this.#fault('more bytes');
    this.#crc32 = crc32(chunk, this.#crc32);
    this.#onBytes?.(chunk.byteLength);
    return chunk;
  }

  /** Returns the CRC of all bytes. Throws if they differ from the announced ones. */
  finish(): number {
    if (this.#size < this.#known.size) throw this.#fault('fewer bytes');
    if (this.#known.crc32 !== null && this.#crc32 !== this.#known.crc32) throw this.#fault('other bytes');
    return this.#crc32;
  }

  #fault(what: string): Error {
    return new Error(`${this.#known.path} has ${what} than announced.`);
  }
}

/** The chunks of an opened source. The signal also ends a source that has stalled. */
export async function openedContent(
  opening: Promise<AsyncIterable<Uint8Array>>,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const source = await opening;
  if (signal !== undefined && source instanceof Readable) addAbortSignal(signal, source);
  return source;
}
