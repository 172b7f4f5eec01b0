// Writes a ZIP archive of stored (uncompressed) entries while it is sent: nothing is kept but the central directory,
// about a hundred bytes for each entry. What people download is mostly compressed already, and stored entries make
// the length of the archive known before the first byte, which gives the client its progress bar.

import { addAbortSignal, Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { ByteBatch } from './byte-batch.ts';
import {
  centralHeader,
  dataDescriptor,
  endRecords,
  isDirectory,
  lengthInArchive,
  lengthInDirectory,
  localHeader,
  type ZipFacts,
} from './zip-records.ts';

/** One file or directory of an archive. Nothing is opened for a directory or an empty file. */
export interface ZipEntry extends ZipFacts {
  open(): Promise<AsyncIterable<Uint8Array>>;
  /** All bytes at once: the faster way for small files, taken where it is offered and the file is small. */
  read?(): Promise<Uint8Array>;
}

export interface ZipOptions {
  /** Ends the writing: the generator fails with the reason, and what it has open is closed. */
  readonly signal?: AbortSignal;
}

// Opening a file is waiting, and with small files nothing but: so a few are under way while one is written.
const MAX_READ_AHEAD = 8;
const MAX_READ_AHEAD_BYTES = 64 * 1_024;

/** How many bytes {@link writeZip} will give for these entries. */
export function zipLength(entries: Iterable<ZipFacts>): number {
  let entryCount = 0;
  let offset = 0;
  let size = 0;
  for (const entry of entries) {
    const facts = toFacts(entry);
    entryCount += 1;
    size += lengthInDirectory(facts, offset);
    offset += lengthInArchive(facts);
  }
  return offset + size + endRecords({ entryCount, offset, size }).byteLength;
}

/**
 * Gives the archive piece by piece, and reads no faster than it is taken. Fails when an entry has not the size or
 * the CRC that were announced, so that a wrong file never becomes a well-formed archive.
 */
export async function* writeZip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  { signal }: ZipOptions = {},
): AsyncGenerator<Uint8Array> {
  const batch = new ByteBatch();
  const directory = new GatheredDirectory();
  for await (const { entry, bytes } of readAhead(entries)) {
    signal?.throwIfAborted();
    const facts = toFacts(entry);
    const content = new ContentCheck(facts);
    for (const piece of batch.add(localHeader(facts))) yield piece;
    if (bytes !== undefined) {
      for (const piece of batch.add(content.pass(await bytes))) yield piece;
    } else if (facts.size > 0) {
      for await (const chunk of await openSource(entry, signal)) {
        for (const piece of batch.add(content.pass(chunk))) yield piece;
      }
    }
    const passedCrc32 = content.finish();
    for (const piece of batch.add(dataDescriptor(facts, passedCrc32))) yield piece;
    directory.add(facts, passedCrc32);
  }
  for (const header of directory.pieces()) for (const piece of batch.add(header)) yield piece;
  for (const piece of batch.add(endRecords(directory.summary))) yield piece;
  for (const piece of batch.flush()) yield piece;
}

// What is empty has a CRC that everybody knows, and a directory with a data descriptor confuses some readers.
function toFacts(entry: ZipFacts): ZipFacts {
  if (isDirectory(entry) && entry.size !== 0)
    throw new RangeError(`${entry.path} is a directory with bytes.`);
  if (entry.size !== 0 || entry.crc32 !== null) return entry;
  return { path: entry.path, size: 0, crc32: 0, modifiedAt: entry.modifiedAt };
}

interface ReadEntry {
  readonly entry: ZipEntry;
  /** The bytes on their way, where the entry is small. */
  readonly bytes: Promise<Uint8Array> | undefined;
}

async function* readAhead(entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): AsyncGenerator<ReadEntry> {
  const waiting: ReadEntry[] = [];
  for await (const entry of entries) {
    waiting.push({ entry, bytes: beginRead(entry) });
    const first = waiting.length > MAX_READ_AHEAD ? waiting.shift() : undefined;
    if (first !== undefined) yield first;
  }
  yield* waiting;
}

function beginRead(entry: ZipEntry): Promise<Uint8Array> | undefined {
  if (entry.read === undefined || entry.size === 0 || entry.size > MAX_READ_AHEAD_BYTES) return undefined;
  const bytes = entry.read();
  // Where it is awaited its failure counts; where the writing has ended before, nobody is left to hear of it.
  bytes.catch(() => undefined);
  return bytes;
}

async function openSource(entry: ZipEntry, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const source = await entry.open();
  // A source that has stalled would not notice otherwise.
  if (signal !== undefined && source instanceof Readable) addAbortSignal(signal, source);
  return source;
}

/** Compares the bytes of an entry with what was announced of them. */
class ContentCheck {
  readonly #facts: ZipFacts;
  #size = 0;
  #crc32 = 0;

  constructor(facts: ZipFacts) {
    this.#facts = facts;
  }

  pass(chunk: Uint8Array): Uint8Array {
    this.#size += chunk.byteLength;
    if (this.#size > this.#facts.size) throw this.#fault('more bytes');
    this.#crc32 = crc32(chunk, this.#crc32);
    return chunk;
  }

  finish(): number {
    if (this.#size < this.#facts.size) throw this.#fault('fewer bytes');
    if (this.#facts.crc32 !== null && this.#crc32 !== this.#facts.crc32) throw this.#fault('other bytes');
    return this.#crc32;
  }

  #fault(what: string): Error {
    return new Error(`${this.#facts.path} has ${what} than announced to the archive.`);
  }
}

/** The central directory as it grows, packed. */
class GatheredDirectory {
  readonly #full: Uint8Array[] = [];
  readonly #batch = new ByteBatch();
  #entryCount = 0;
  #offset = 0;
  #size = 0;

  add(facts: ZipFacts, passedCrc32: number): void {
    const header = centralHeader(facts, passedCrc32, this.#offset);
    this.#full.push(...this.#batch.add(header));
    this.#entryCount += 1;
    this.#size += header.byteLength;
    this.#offset += lengthInArchive(facts);
  }

  *pieces(): Generator<Uint8Array> {
    yield* this.#full;
    yield* this.#batch.flush();
  }

  get summary() {
    return { entryCount: this.#entryCount, offset: this.#offset, size: this.#size };
  }
}
