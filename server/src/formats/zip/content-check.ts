import { crc32 } from 'node:zlib';
import type { ZipFacts } from './records.ts';

/** Compares the bytes of an entry with what was announced of them. */
export class ContentCheck {
  readonly #facts: ZipFacts;
  readonly #onBytes: ((bytes: number) => void) | undefined;
  #size = 0;
  #crc32 = 0;

  /** @param onBytes hears how many bytes have passed, chunk by chunk */
  constructor(facts: ZipFacts, onBytes?: (bytes: number) => void) {
    this.#facts = facts;
    this.#onBytes = onBytes;
  }

  pass(chunk: Uint8Array): Uint8Array {
    this.#size += chunk.byteLength;
    if (this.#size > this.#facts.size) throw this.#fault('more bytes');
    this.#crc32 = crc32(chunk, this.#crc32);
    this.#onBytes?.(chunk.byteLength);
    return chunk;
  }

  /** Gives the CRC. */
  finish(): number {
    if (this.#size < this.#facts.size) throw this.#fault('fewer bytes');
    if (this.#facts.crc32 !== null && this.#crc32 !== this.#facts.crc32) throw this.#fault('other bytes');
    return this.#crc32;
  }

  #fault(what: string): Error {
    return new Error(`${this.#facts.path} has ${what} than announced to the archive.`);
  }
}
