// Reads any range of an archive that does not exist as a whole. Its entries are not deflated, and their CRCs
// are known. So every byte of the archive follows from the metadata and the bytes of the files.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ByteRange, lengthOf } from '../../../base/bytes/byte-range.ts';
import { centralHeader, type EntryMetadata, endRecords, localHeader } from '../records.ts';
import { ByteBatch } from './byte-batch.ts';
import { ContentCheck, openedContent } from './content-check.ts';
import type { ZipLayout } from './layout.ts';
import { toMetadata } from './packing.ts';
import { MAX_READ_AHEAD_BYTES, readAhead } from './read-ahead.ts';

/** A file or directory. Any range of it can be read, except from a directory or an empty file. */
export interface StoredEntry {
  open(range: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  read(range: ByteRange): Promise<Uint8Array>;
}

export interface StoredArchive {
  readonly layout: ZipLayout;
  /** The CRC must be known. */
  metadataAt(index: number): EntryMetadata;
  /** The entries from one index up to, but not including, another. */
  entries(from: number, to: number): AsyncIterable<StoredEntry>;
}

/** An entry that a range covers by at least one byte. */
interface WantedEntry {
  readonly entry: StoredEntry;
  readonly metadata: EntryMetadata;
  /** The covered bytes of its local header; possibly none. */
  readonly header: Uint8Array;
  /** The covered bytes of the file; undefined for none. */
  readonly part: ByteRange | undefined;
}

/**
 * Yields the bytes of a range in pieces, at the speed of the reader. Opens only the files that the range
 * covers. Throws if a file does not have the announced size. If a file is read as a whole, it must also have
 * the announced CRC.
 * @param signal aborts reading; the generator throws its reason
 */
export async function* readArchiveRange(
  archive: StoredArchive,
  range: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const batch = new ByteBatch();
  for await (const [wanted, small] of readAhead(wantedEntries(archive, range), readSmall)) {
    signal.throwIfAborted();
    for (const piece of batch.add(wanted.header)) yield piece;
    if (small !== undefined) for (const piece of batch.add(await small)) yield piece;
    else
      for await (const bytes of streamOf(wanted, signal)) for (const piece of batch.add(bytes)) yield piece;
  }
  for (const bytes of directoryIn(archive, range)) {
    for (const piece of batch.add(bytes)) {
      yield piece;
      // Otherwise a fast reader would take all pieces in one turn of the event loop.
      await yieldToEventLoop();
    }
  }
  yield* batch.flush();
}

async function* wantedEntries(archive: StoredArchive, range: ByteRange): AsyncGenerator<WantedEntry> {
  const { layout } = archive;
  if (range.start >= layout.directory.offset) return;
  let index = layout.findEntryAt(range.start);
  for await (const entry of archive.entries(index, layout.findEntryAt(range.end) + 1)) {
    const metadata = toMetadata(archive.metadataAt(index));
    const header = localHeader(metadata);
    const headerAt = layout.offsetOf(index);
    const contentAt = headerAt + header.byteLength;
    const start = Math.max(range.start - contentAt, 0);
    const end = Math.min(range.end - contentAt, metadata.size - 1);
    const part = start > end ? undefined : { start, end };
    yield { entry, metadata, header: clip(header, headerAt, range), part };
    index += 1;
  }
}

function readSmall(wanted: WantedEntry): Promise<Uint8Array> | undefined {
  const { entry, part } = wanted;
  if (part === undefined || lengthOf(part) > MAX_READ_AHEAD_BYTES) return undefined;
  return entry.read(part).then((bytes) => {
    const check = checkOf(wanted, part);
    check.pass(bytes);
    check.finish();
    return bytes;
  });
}

async function* streamOf(wanted: WantedEntry, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { entry, part } = wanted;
  if (part === undefined) return;
  const check = checkOf(wanted, part);
  for await (const chunk of await openedContent(entry.open(part), signal)) yield check.pass(chunk);
  check.finish();
}

/** Checks only the size of a part of a file, whose CRC is not known. */
function checkOf({ metadata: { path, size, crc32 } }: WantedEntry, part: ByteRange): ContentCheck {
  const length = lengthOf(part);
  return new ContentCheck({ path, size: length, crc32: length === size ? crc32 : null });
}

/** The bytes of the range that belong to the central directory and the records after it. */
function* directoryIn(archive: StoredArchive, range: ByteRange): Generator<Uint8Array> {
  const { layout } = archive;
  const { entryCount, offset, size } = layout.directory;
  const first = range.start < offset ? 0 : layout.findHeaderAt(range.start);
  for (let index = first; index < entryCount; index += 1) {
    const at = layout.headerOffsetOf(index);
    if (at > range.end) return;
    const metadata = toMetadata(archive.metadataAt(index));
    const written = { crc32: metadata.crc32 ?? 0, packedSize: metadata.size };
    yield clip(centralHeader(metadata, written, layout.offsetOf(index)), at, range);
  }
  yield clip(endRecords(layout.directory), offset + size, range);
}

/** The bytes of a piece that are in the range. */
function clip(piece: Uint8Array, at: number, range: ByteRange): Uint8Array {
  return piece.subarray(Math.max(range.start - at, 0), Math.max(range.end + 1 - at, 0));
}
