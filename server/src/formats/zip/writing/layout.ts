import {
  type CentralDirectory,
  type EntryMetadata,
  endRecords,
  lengthInArchive,
  lengthInDirectory,
} from '../records.ts';
import { toMetadata } from './packing.ts';

/**
 * The position of everything in an archive of stored entries, computed from their metadata alone. Offsets are
 * bytes from the start of the archive.
 */
export class ZipLayout {
  /** The offsets of the local headers, ascending. */
  readonly #offsets: number[] = [];
  /** The offsets of the headers in the central directory, ascending, from the start of the directory. */
  readonly #headerOffsets: number[] = [];
  #offset = 0;
  #directoryBytes = 0;

  add(entry: EntryMetadata): void {
    const metadata = toMetadata(entry);
    this.#offsets.push(this.#offset);
    this.#headerOffsets.push(this.#directoryBytes);
    this.#directoryBytes += lengthInDirectory(metadata, metadata.size, this.#offset);
    this.#offset += lengthInArchive(metadata, metadata.size);
  }

  /** The length of the archive. */
  get bytes(): number {
    return this.#offset + this.#directoryBytes + endRecords(this.directory).byteLength;
  }

  get directory(): CentralDirectory {
    return { entryCount: this.#offsets.length, offset: this.#offset, size: this.#directoryBytes };
  }

  /** The offset of the local header of an entry. */
  offsetOf(index: number): number {
    return this.#offsets[index] ?? this.#offset;
  }

  /** The offset of an entry's header in the central directory. */
  headerOffsetOf(index: number): number {
    return this.#offset + (this.#headerOffsets[index] ?? this.#directoryBytes);
  }

  /** The index of the entry that contains the byte at an offset before the central directory. */
  findEntryAt(offset: number): number {
    return findLastUpTo(this.#offsets, offset);
  }

  /** The index of the entry whose header contains the byte at an offset in the central directory. */
  findHeaderAt(offset: number): number {
    return findLastUpTo(this.#headerOffsets, offset - this.#offset);
  }
}

export function zipLength(entries: Iterable<EntryMetadata>): number {
  const layout = new ZipLayout();
  for (const entry of entries) layout.add(entry);
  return layout.bytes;
}

/** The index of the last of the ascending `values` that is at most `value`; 0 if all are greater. */
function findLastUpTo(values: readonly number[], value: number): number {
  let [low, high] = [0, values.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return low;
}
