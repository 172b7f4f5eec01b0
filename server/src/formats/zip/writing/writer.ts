// Writes a ZIP archive while it is sent: nothing is kept but the central directory, about a hundred bytes for
// each entry. Where nothing is deflated the length of the archive is known before the first byte, which gives
// a download its progress bar.

import {
  centralHeader,
  dataDescriptor,
  endRecords,
  lengthInArchive,
  lengthInDirectory,
  localHeader,
  type WrittenBytes,
  type ZipFacts,
} from '../records.ts';
import { type PackedEntry, Packing, type PackingOptions, type ZipEntry } from './packing.ts';

export type { ZipEntry } from './packing.ts';

export interface ZipOptions extends PackingOptions {
  /** Ends the writing: the generator fails with the reason, and what it has open is closed. */
  readonly signal?: AbortSignal;
  /** Hears of each entry that is written. */
  readonly onEntry?: (entry: ZipFacts) => void;
}

// Opening a file is waiting, and with small files nothing but: so a few are under way while one is written.
const MAX_READ_AHEAD = 8;
const MAX_READ_AHEAD_BYTES = 64 * 1_024;

/** How many bytes {@link writeZip} will give for these entries when it stores them as they are. */
export function zipLength(entries: Iterable<ZipFacts>): number {
  let entryCount = 0;
  let offset = 0;
  let size = 0;
  for (const entry of entries) {
    const facts = entry.size === 0 ? { ...entry, crc32: 0 } : entry;
    entryCount += 1;
    size += lengthInDirectory(facts, facts.size, offset);
    offset += lengthInArchive(facts, facts.size);
  }
  return offset + size + endRecords({ entryCount, offset, size }).byteLength;
}

/**
 * Gives the archive piece by piece, and reads no faster than it is taken. Fails when an entry has not the
 * size or the CRC that were announced, so that a wrong file never becomes a well-formed archive.
 */
export async function* writeZip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  options: ZipOptions = {},
): AsyncGenerator<Uint8Array> {
  const batch = new ByteBatch();
  const directory = new GatheredDirectory();
  const packing = new Packing(options);
  for await (const { entry, small } of readAhead(entries, packing)) {
    options.signal?.throwIfAborted();
    const packed = await (small ?? packing.pack(entry));
    try {
      for (const piece of batch.add(localHeader(packed.facts))) yield piece;
      for await (const bytes of packed.pieces) for (const piece of batch.add(bytes)) yield piece;
      const written = packed.finish();
      for (const piece of batch.add(dataDescriptor(packed.facts, written))) yield piece;
      directory.add(packed.facts, written);
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
  /** On its way, where the entry is small. */
  readonly small: Promise<PackedEntry> | undefined;
}

async function* readAhead(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  packing: Packing,
): AsyncGenerator<ReadEntry> {
  const waiting: ReadEntry[] = [];
  for await (const entry of entries) {
    waiting.push({ entry, small: beginRead(entry, packing) });
    const first = waiting.length > MAX_READ_AHEAD ? waiting.shift() : undefined;
    if (first !== undefined) yield first;
  }
  yield* waiting;
}

function beginRead(entry: ZipEntry, packing: Packing): Promise<PackedEntry> | undefined {
  if (entry.read === undefined || entry.size === 0 || entry.size > MAX_READ_AHEAD_BYTES) return undefined;
  const packed = entry.read().then((bytes) => packing.packSmall(entry, bytes));
  // Where it is awaited its failure counts; where the writing has ended before, nobody is left to hear of it.
  packed.catch(() => undefined);
  return packed;
}

/** The central directory as it grows, packed. */
class GatheredDirectory {
  readonly #full: Uint8Array[] = [];
  readonly #batch = new ByteBatch();
  #entryCount = 0;
  #offset = 0;
  #size = 0;

  add(facts: ZipFacts, written: WrittenBytes): void {
    const header = centralHeader(facts, written, this.#offset);
    this.#full.push(...this.#batch.add(header));
    this.#entryCount += 1;
    this.#size += header.byteLength;
    this.#offset += lengthInArchive(facts, written.packedSize);
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

/** Gathers small pieces into batches that are worth a write; large ones pass uncopied, in their order. */
class ByteBatch {
  #batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
  #used = 0;

  /** Takes a piece and gives what is ready to leave. A large piece must not be written to afterwards. */
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

  /** Gives what is gathered. */
  *flush(): Generator<Uint8Array> {
    if (this.#used === 0) return;
    const gathered = this.#batch.subarray(0, this.#used);
    // The receiver may hold these bytes until they are on the wire, so only what lies behind them is used
    // again.
    const rest = this.#batch.subarray(this.#used);
    this.#batch = rest.byteLength >= LARGE_BYTES ? rest : Buffer.allocUnsafeSlow(BATCH_BYTES);
    this.#used = 0;
    yield gathered;
  }
}
