// tier: default
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { inFull } from '../../../../../tools/testing/tiers.ts';
import { forgeZip } from '../../../../test/support/zip/zip-forge.ts';
import { collect } from '../../../../test/support/zip/zip-reading.ts';
import type { ByteRange } from '../../../base/bytes/byte-range.ts';
import { writeZip, type ZipEntry } from '../writing/writer.ts';
import { checkContent, findContent, isSmall, readContent, streamContent } from './content.ts';
import { ZipFault } from './fault.ts';
import type { ListedEntry, ZipArchive } from './listing.ts';
import { readArchive } from './reader.ts';
import { type ArchiveBytes, ByteWindows } from './windows.ts';

const LIMITS = { maxEntries: 100_000, maxRatio: 1_000 };
const MIB = 1_024 * 1_024;

/** Bytes in memory that record which ranges are requested. */
class MemoryBytes implements ArchiveBytes {
  readonly requested: ByteRange[] = [];
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get size(): number {
    return this.#bytes.byteLength;
  }

  async read({ start, end }: ByteRange): Promise<Buffer> {
    this.requested.push({ start, end });
    return this.#bytes.subarray(start, end + 1);
  }

  async open(range: ByteRange): Promise<AsyncIterable<Uint8Array>> {
    const bytes = await this.read(range);
    return (async function* () {
      for (let at = 0; at < bytes.byteLength; at += 65_536) yield bytes.subarray(at, at + 65_536);
    })();
  }
}

async function contentOf(archive: ZipArchive, entry: ListedEntry): Promise<Buffer> {
  const content = await findContent(archive.bytes, entry, archive.directoryOffset);
  const bytes = isSmall(entry)
    ? await readContent(archive.bytes, content)
    : Buffer.concat(await collect(streamContent(archive.bytes, content)));
  checkContent(entry, { size: bytes.byteLength, crc32: crc32(bytes) });
  return Buffer.from(bytes);
}

function fileOf(path: string, content: Buffer): ZipEntry {
  const open = async () => new MemoryBytes(content).open({ start: 0, end: content.byteLength - 1 });
  return { path, size: content.byteLength, crc32: crc32(content), modifiedAt: 0, open };
}

describe('a written archive with deflated entries', () => {
  const text = Buffer.from('words and more words, over and over. '.repeat(60_000));
  const mixed = Buffer.concat([text.subarray(0, 400_000), randomBytes(500_000), text.subarray(0, 300_000)]);
  const contents: Readonly<Record<string, Buffer>> = {
    empty: Buffer.alloc(0),
    one: Buffer.from('1'),
    text,
    mixed,
    random: randomBytes(700_001),
    'one block': text.subarray(0, 131_072),
    'one block and a byte': text.subarray(0, 131_073),
    zeros: Buffer.alloc(20 * MIB),
  };

  it('is read back unchanged, and its ratio is accepted', async () => {
    const entries = Object.entries(contents).map(([name, content]) => fileOf(name, content));
    const bytes = Buffer.concat(await collect(writeZip(entries, { deflates: true })));
    const archive = await readArchive(new MemoryBytes(bytes), LIMITS);
    for (const entry of archive.entries) {
      assert.ok((await contentOf(archive, entry)).equals(contents[entry.name] ?? Buffer.of()), entry.name);
    }
    const packed = new Map(archive.entries.map(({ name, packedSize }) => [name, packedSize]));
    assert.ok((packed.get('text') ?? 0) < text.byteLength / 50);
    assert.equal(packed.get('random'), 700_001);
  });

  it('reports the bytes and entries while it is written', async () => {
    let read = 0;
    const written: string[] = [];
    const entries = Object.entries(contents).map(([name, content]) => fileOf(name, content));
    const options = { deflates: true, onBytes: (bytes: number) => (read += bytes) };
    await collect(writeZip(entries, { ...options, onEntry: ({ path }) => written.push(path) }));
    assert.equal(
      read,
      Object.values(contents).reduce((sum, { byteLength }) => sum + byteLength, 0),
    );
    assert.deepEqual(written, Object.keys(contents));
  });

  it('closes its sources when the reader stops early', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield text;
      } finally {
        isClosed = true;
      }
    }
    const entry = { ...fileOf('a', text), size: 2 ** 40, crc32: null, open: async () => endless() };
    const archive = writeZip([entry], { deflates: true });
    await archive.next();
    await archive.return(undefined);
    assert.ok(isClosed);
  });
});

const ZEROS = Buffer.alloc(16 * MIB);

/** An archive in memory that does not store chunks of zeros. */
class SparseBytes implements ArchiveBytes {
  readonly #pieces: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
  size = 0;

  async take(archive: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const bytes of archive) {
      if (bytes.buffer !== ZEROS.buffer) this.#pieces.push({ offset: this.size, bytes });
      this.size += bytes.byteLength;
    }
  }

  async read({ start, end }: ByteRange): Promise<Buffer> {
    const content = Buffer.alloc(end - start + 1);
    for (const { offset, bytes } of this.#pieces) {
      const from = Math.max(start, offset);
      const to = Math.min(end + 1, offset + bytes.byteLength);
      if (from < to) content.set(bytes.subarray(from - offset, to - offset), from - start);
    }
    return content;
  }

  async open({ start, end }: ByteRange): Promise<AsyncIterable<Uint8Array>> {
    const read = (range: ByteRange) => this.read(range);
    const isEmpty = (range: ByteRange) => this.#isEmpty(range);
    return (async function* () {
      for (let at = start; at <= end; at += ZEROS.byteLength) {
        const range = { start: at, end: Math.min(end, at + ZEROS.byteLength - 1) };
        // Most of 4 GiB is zeros. Checking for them is faster than creating them again.
        yield isEmpty(range) ? ZEROS.subarray(0, range.end + 1 - range.start) : await read(range);
      }
    })();
  }

  #isEmpty({ start, end }: ByteRange): boolean {
    return this.#pieces.every(({ offset, bytes }) => offset + bytes.byteLength <= start || offset > end);
  }
}

function zerosOf(path: string, size: number): ZipEntry {
  async function* chunks() {
    for (let left = size; left > 0; left -= ZEROS.byteLength)
      yield ZEROS.subarray(0, Math.min(left, ZEROS.byteLength));
  }
  return { path, size, crc32: null, modifiedAt: 0, open: async () => chunks() };
}

describe('an archive beyond 4 GiB', () => {
  it('is read, with large entries, large offsets and the entries after them', inFull, async () => {
    const bytes = new SparseBytes();
    const small = Buffer.from('after 4 GiB');
    await bytes.take(
      writeZip([zerosOf('big', 2 ** 32 + 5), fileOf('small', small), fileOf('deep/', Buffer.of())]),
    );
    const archive = await readArchive(bytes, LIMITS);
    const [big, other] = archive.entries;
    assert(big && other);
    assert.deepEqual(
      archive.entries.map(({ name, size }) => [name, size]),
      [
        ['big', 2 ** 32 + 5],
        ['small', small.byteLength],
        ['deep/', 0],
      ],
    );
    assert.ok(other.offset > 2 ** 32);
    assert.ok((await contentOf(archive, other)).equals(small));
    let size = 0;
    let crc = 0;
    for await (const chunk of streamContent(
      archive.bytes,
      await findContent(archive.bytes, big, other.offset),
    )) {
      size += chunk.byteLength;
      crc = crc32(chunk, crc);
    }
    checkContent(big, { size, crc32: crc });
  });
});

describe('an archive with more entries than 16 bits can count', () => {
  it('is read even if it declares only the lowest 16 bits of their number', async () => {
    const entries = Array.from({ length: 65_540 }, (_, index) => ({ name: `${index}` }));
    const bytes = new MemoryBytes(forgeZip(entries, { entryCount: 4 }));
    assert.equal((await readArchive(bytes, LIMITS)).entries.length, 65_540);
  });
});

describe('reading from a remote store', () => {
  it('needs few requests and little memory for many small files', async () => {
    const entries = Array.from({ length: 5_000 }, (_, n) => fileOf(`dir/${n}`, randomBytes(4_096)));
    const bytes = new MemoryBytes(Buffer.concat(await collect(writeZip(entries))));
    const archive = await readArchive(bytes, LIMITS);
    for (const entry of archive.entries) await contentOf(archive, entry);
    assert.ok(bytes.size > 20 * MIB);
    assert.ok(bytes.requested.length <= 9, `${bytes.requested.length} requests`);
    assert.ok(bytes.requested.every(({ start, end }) => end - start < 4 * MIB));
  });

  it('reports an error of the store as such, not as a fault of the archive', async () => {
    const bytes = new MemoryBytes(forgeZip([{ name: 'a', content: 'x' }]));
    const gone = new Error('the store is gone');
    bytes.read = () => Promise.reject(gone);
    await assert.rejects(readArchive(bytes, LIMITS), gone);
  });

  it('requests the bytes again after an error', async () => {
    const bytes = new MemoryBytes(Buffer.from('some bytes'));
    const windows = new ByteWindows(bytes, { windowBytes: 4 });
    const { read } = MemoryBytes.prototype;
    bytes.read = () => Promise.reject(new Error('once'));
    await assert.rejects(windows.get(0, 2), /once/);
    bytes.read = read;
    assert.equal(String(await windows.get(0, 10)), 'some bytes');
    assert.equal(String(await windows.get(3, 2)), 'e ');
    await assert.rejects(windows.get(5, 6), ZipFault);
    await assert.rejects(windows.get(-1, 2), ZipFault);
    await assert.rejects(windows.get(Number.NaN, 2), ZipFault);
  });

  it('ends when the signal is aborted', async () => {
    const bytes = new MemoryBytes(forgeZip([{ name: 'a', content: 'x' }]));
    await assert.rejects(readArchive(bytes, LIMITS, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });
});
