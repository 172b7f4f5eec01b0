import { type EntryMetadata, endRecords, lengthInArchive, lengthInDirectory } from '../records.ts';
import { toMetadata } from './packing.ts';

/** The length of the archive that `writeZip` makes of the added entries when it deflates none. */
export class ZipLength {
  #entryCount = 0;
  #offset = 0;
  #size = 0;

  add(entry: EntryMetadata): void {
    const metadata = toMetadata(entry);
    this.#entryCount += 1;
    this.#size += lengthInDirectory(metadata, metadata.size, this.#offset);
    this.#offset += lengthInArchive(metadata, metadata.size);
  }

  get bytes(): number {
    const [entryCount, offset, size] = [this.#entryCount, this.#offset, this.#size];
    return offset + size + endRecords({ entryCount, offset, size }).byteLength;
  }
}

export function zipLength(entries: Iterable<EntryMetadata>): number {
  const length = new ZipLength();
  for (const entry of entries) length.add(entry);
  return length.bytes;
}
