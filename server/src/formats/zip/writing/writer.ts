// Writes a ZIP archive while it is sent. Only the central directory is kept in memory. When nothing is
// deflated, the length of the archive is known in advance, so a browser can show the download's progress.
// Decision record 6 says why no library does this.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  centralHeader,
  dataDescriptor,
  type EntryMetadata,
  endRecords,
  lengthInArchive,
  localHeader,
  type WrittenBytes,
} from '../records.ts';
import { ByteBatch } from './byte-batch.ts';
import { type PackedEntry, Packing, type PackingOptions, type ZipEntry } from './packing.ts';
import { MAX_READ_AHEAD_BYTES, readAhead } from './read-ahead.ts';

export type { EntryMetadata } from '../records.ts';
export type { ZipEntry } from './packing.ts';

interface ZipOptions extends PackingOptions {
  /** Aborts writing: the generator throws the reason, and open sources are closed. */
  readonly signal?: AbortSignal;
  /** Called after each written entry. */
  readonly onEntry?: (entry: EntryMetadata) => void;
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
  const directory = new CentralDirectoryHeaders();
  const packing = new Packing(options);
  for await (const [entry, small] of readAhead(entries, (next) => startRead(next, packing))) {
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
  for (const header of directory.headers()) {
    for (const piece of batch.add(header)) {
      yield piece;
      // Otherwise a fast reader would take all pieces in one turn of the event loop.
      await yieldToEventLoop();
    }
  }
  for (const piece of batch.add(endRecords(directory.summary))) yield piece;
  for (const piece of batch.flush()) yield piece;
}

function startRead(entry: ZipEntry, packing: Packing): Promise<PackedEntry> | undefined {
  if (entry.read === undefined || entry.size === 0 || entry.size > MAX_READ_AHEAD_BYTES) return undefined;
  return entry.read().then((bytes) => packing.packSmall(entry, bytes));
}

/** Collects the headers of the central directory in a few large buffers. */
class CentralDirectoryHeaders {
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
