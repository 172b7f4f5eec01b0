import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

interface Found {
  readonly entry: Entry;
  readonly bytes: Buffer;
}

/** Reads every entry with an independent reader, which checks sizes and names; the CRC is checked here. */
export async function readBack(archive: Buffer): Promise<Found[]> {
  const zip = await openZip((done) =>
    fromBuffer(archive, { lazyEntries: true, strictFileNames: true }, done),
  );
  const found: Found[] = [];
  for await (const entry of entriesOf(zip)) {
    const bytes = await readEntry(zip, entry);
    assert.equal(crc32(bytes), entry.crc32, entry.fileName);
    found.push({ entry, bytes });
  }
  return found;
}

type Done<T> = (error: Error | null, opened: T) => void;

export function openZip(open: (done: Done<ZipFile>) => void): Promise<ZipFile> {
  return new Promise((resolve, reject) =>
    open((error, zip) => (error === null ? resolve(zip) : reject(error))),
  );
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const piece of source) collected.push(piece);
  return collected;
}

export async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (let remaining = zip.entryCount; remaining > 0; remaining -= 1) {
    const found = once(zip, 'entry');
    zip.readEntry();
    yield (await found)[0];
  }
}

export async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (error === null ? resolve(opened) : reject(error)));
  });
  return await buffer(stream);
}
