import {
  centralHeader,
  type EntryMetadata,
  lengthInArchive,
  lengthInDirectory,
  type WrittenBytes,
} from '../records.ts';
import { ByteBatch } from './byte-batch.ts';
import { toMetadata } from './packing.ts';

/** Collects the headers of the central directory in a few large buffers. */
export class KeptDirectory {
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

/**
 * Makes the headers at the end from the metadata of all entries, which it is given again. Until then it keeps
 * the CRC and the offset of each entry. All entries must be stored, not deflated.
 */
export class LateDirectory {
  readonly #metadataAgain: () => Iterable<EntryMetadata>;
  readonly #crcs: number[] = [];
  readonly #offsets: number[] = [];
  #offset = 0;
  #size = 0;

  constructor(metadataAgain: () => Iterable<EntryMetadata>) {
    this.#metadataAgain = metadataAgain;
  }

  add(metadata: EntryMetadata, { crc32, packedSize }: WrittenBytes): void {
    this.#crcs.push(crc32);
    this.#offsets.push(this.#offset);
    this.#size += lengthInDirectory(metadata, packedSize, this.#offset);
    this.#offset += lengthInArchive(metadata, packedSize);
  }

  *headers(): Generator<Uint8Array> {
    let index = 0;
    for (const entry of this.#metadataAgain()) {
      const [crc32, offset] = [this.#crcs[index], this.#offsets[index]];
      if (crc32 === undefined || offset === undefined) throw new Error('More entries than were written.');
      yield centralHeader(toMetadata(entry), { crc32, packedSize: entry.size }, offset);
      index += 1;
    }
    if (index < this.#crcs.length) throw new Error('Fewer entries than were written.');
  }

  get summary() {
    return { entryCount: this.#crcs.length, offset: this.#offset, size: this.#size };
  }
}
