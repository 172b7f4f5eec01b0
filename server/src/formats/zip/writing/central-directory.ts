import { centralHeader, type EntryMetadata, lengthInArchive, type WrittenBytes } from '../records.ts';
import { ByteBatch } from './byte-batch.ts';

/** Collects the headers of the central directory in a few large buffers. */
export class CentralDirectoryHeaders {
  readonly #full: Uint8Array[] = [];
  readonly #batch = new ByteBatch();
  #entryCount = 0;
  #offset = 0;
  #size = 0;

  add(metadata: EntryMetadata, written: WrittenBytes): void {
    const header = centralHeader(metadata, written, this.#offset);
    this.#full.push(...this.#batch.add(header));
    this.#entryCount += 1;
    this.#size += header.byteLength;
    this.#offset += lengthInArchive(metadata, written.packedSize);
  }

  *headers(): Generator<Uint8Array> {
    yield* this.#full;
    yield* this.#batch.flush();
  }

  get summary() {
    return { entryCount: this.#entryCount, offset: this.#offset, size: this.#size };
  }
}
