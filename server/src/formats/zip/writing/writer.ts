// Writes a ZIP archive while it is sent. Only the central directory is kept in memory; numbers alone
// if the caller can give the paths again. When nothing is deflated, the length of the archive is known in
// advance, so a browser can show the progress of the download. Decision record 6 says why this is not done by
// a library.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { dataDescriptor, type EntryMetadata, endRecords, localHeader } from '../records.ts';
import { ByteBatch } from './byte-batch.ts';
import { KeptDirectory, LateDirectory } from './central-directory.ts';
import { type PackedEntry, Packing, type PackingOptions, type ZipEntry } from './packing.ts';

export type { EntryMetadata } from '../records.ts';
export type { ZipEntry } from './packing.ts';

export interface ZipOptions extends PackingOptions {
  /** Aborts the writing: the generator throws the reason, and open sources are closed. */
  readonly signal?: AbortSignal;
  /**
   * Gives the metadata of all entries again, in their order. Then the central directory is made of it at the
   * end, so that no paths are kept in memory until then. Not for archives that deflate.
   */
  readonly metadataAgain?: () => Iterable<EntryMetadata>;
  /** Called for every entry that was written. */
  readonly onEntry?: (entry: EntryMetadata) => void;
}

// With small files most of the time is spent waiting for them to be opened, so a few are read ahead.
const MAX_READ_AHEAD = 8;
const MAX_READ_AHEAD_BYTES = 64 * 1_024;

/**
 * Writes the archive in pieces, at the speed of the reader. Throws when an entry does not have the announced
 * size or CRC, so that a damaged file never ends up in a well-formed archive.
 */
export async function* writeZip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  options: ZipOptions = {},
): AsyncGenerator<Uint8Array> {
  const batch = new ByteBatch();
  const { metadataAgain } = options;
  const isLate = metadataAgain !== undefined && options.deflates !== true;
  const directory = isLate ? new LateDirectory(metadataAgain) : new KeptDirectory();
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
  for (const header of directory.headers()) {
    for (const piece of batch.add(header)) {
      yield piece;
      // A reader may take all pieces in one turn of the event loop.
      await yieldToEventLoop();
    }
  }
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
