// Writes a ZIP archive while it is sent. Only the central directory is kept in memory, about a hundred bytes
// per entry. When nothing is deflated, the length of the archive is known in advance, so a browser can show
// the progress of the download. Decision record 6 says why this is not done by a library.

import {
  centralHeader,
  dataDescriptor,
  type EntryMetadata,
  endRecords,
  lengthInArchive,
  lengthInDirectory,
  localHeader,
  type WrittenBytes,
} from '../records.ts';
import { type PackedEntry, Packing, type PackingOptions, type ZipEntry } from './packing.ts';

export type { ZipEntry } from './packing.ts';

export interface ZipOptions extends PackingOptions {
  /** Aborts the writing: the generator throws the reason, and open sources are closed. */
  readonly signal?: AbortSignal;
  /** Called for every entry that was written. */
  readonly onEntry?: (entry: EntryMetadata) => void;
}

// With small files most of the time is spent waiting for them to be opened, so a few are read ahead.
const MAX_READ_AHEAD = 8;
const MAX_READ_AHEAD_BYTES = 64 * 1_024;

/** The length of the archive that {@link writeZip} makes of these entries when it deflates none. */
export function zipLength(entries: Iterable<EntryMetadata>): number {
  let entryCount = 0;
  let offset = 0;
  let size = 0;
  for (const entry of entries) {
    const metadata = entry.size === 0 ? { ...entry, crc32: 0 } : entry;
    entryCount += 1;
    size += lengthInDirectory(metadata, metadata.size, offset);
    offset += lengthInArchive(metadata, metadata.size);
  }
  return offset + size + endRecords({ entryCount, offset, size }).byteLength;
}

/**
 * Writes the archive in pieces, at the speed of the reader. Throws when an entry does not have the announced
 * size or CRC, so that a damaged file never ends up in a well-formed archive.
 */
export async function* writeZip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  options: ZipOptions = {},
): AsyncGenerator<Uint8Array> {
  const batch = new ByteBatch();
  const directory = new DirectoryBuilder();
  const packing = new Packing(options);
  for await (const { entry, small } of readAhead(entries, packing)) {
    options.signal?.throwIfAborted();
    const packed = await (small ?? packing.pack(entry));
    try {
      for (const piece of batch.add(localHeader(packed.metadata))) yield piece;
      for await (const bytes of packed.pieces) for (const piece of batch.add(bytes)) yield piece;
      const written = packed.finish();
      for (const piece of batch.add(dataDescriptor(packed.metadata, written))) yield piece;
      directory.add(packed.metadata, written);
    } finally {
      await packed.close();
    }
    options.onEntry?.(entry);
  }
  for (const header of directory.pieces()) for (const piece of batch.add(header)) yield piece;
  for (const piece of batch.add(endRecords(directory.summary))) yield piece;
  for (const piece of batch.flush()) yield piece;
}

interface ReadEntry {
  readonly entry: ZipEntry;
  /** The packed entry if it is small: its reading has begun. */
  readonly small: Promise<PackedEntry> | undefined;
}

async function* readAhead(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  packing: Packing,
): AsyncGenerator<ReadEntry> {
  const waiting: ReadEntry[] = [];
  for await (const entry of entries) {
    waiting.push({ entry, small: startRead(entry, packing) });
    const first = waiting.length > MAX_READ_AHEAD ? waiting.shift() : undefined;
    if (first !== undefined) yield first;
  }
  yield* waiting;
}

function startRead(entry: ZipEntry, packing: Packing): Promise<PackedEntry> | undefined {
  if (entry.read === undefined || entry.size === 0 || entry.size > MAX_READ_AHEAD_BYTES) return undefined;
  const packed = entry.read().then((bytes) => packing.packSmall(entry, bytes));
  // If the writing ends before this is awaited, an error must not be an unhandled rejection.
  packed.catch(() => undefined);
  return packed;
}

/** Collects the central directory in a few large buffers. */
class DirectoryBuilder {
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

  *pieces(): Generator<Uint8Array> {
    yield* this.#full;
    yield* this.#batch.flush();
  }

  get summary() {
    return { entryCount: this.#entryCount, offset: this.#offset, size: this.#size };
  }
}

const BATCH_BYTES = 128 * 1_024;
const LARGE_BYTES = BATCH_BYTES / 2;

/**
 * Joins small pieces to larger ones, so that fewer writes are needed. Large pieces are passed on in order,
 * without a copy.
 */
class ByteBatch {
  #batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
  #used = 0;

  /**
   * Adds a piece and gives the pieces that are ready. The caller must not write to a large piece afterwards.
   */
  *add(piece: Uint8Array): Generator<Uint8Array> {
    if (piece.byteLength > this.#batch.byteLength - this.#used) yield* this.flush();
    if (piece.byteLength >= LARGE_BYTES) {
      yield* this.flush();
      yield piece;
      return;
    }
    this.#batch.set(piece, this.#used);
    this.#used += piece.byteLength;
  }

  /** Gives the joined pieces. */
  *flush(): Generator<Uint8Array> {
    if (this.#used === 0) return;
    const joined = this.#batch.subarray(0, this.#used);
    // The receiver may keep these bytes until they are sent, so only the rest of the buffer is used again.
    const rest = this.#batch.subarray(this.#used);
    this.#batch = rest.byteLength >= LARGE_BYTES ? rest : Buffer.allocUnsafeSlow(BATCH_BYTES);
    this.#used = 0;
    yield joined;
  }
}
