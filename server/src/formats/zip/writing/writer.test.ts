// tier: default
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, fromRandomAccessReader, RandomAccessReader } from 'yauzl';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { inFull, isFull } from '../../../../../tools/testing/tiers.ts';
import {
  collect,
  entriesOf,
  openZip,
  readBack,
  readEntry,
} from '../../../../test/support/zip/zip-reading.ts';
import { zipLength } from './layout.ts';
import { writeZip, type ZipEntry } from './writer.ts';

const NOON = Date.UTC(2026, 2, 1, 12, 30, 31);

interface EntryChanges {
  readonly size?: number;
  readonly crc32?: number | null;
  readonly modifiedAt?: number;
}

/** A file in memory, in chunks of 1,000 bytes. */
function fileOf(name: string, content: string | Uint8Array, changes: EntryChanges = {}): ZipEntry {
  const bytes = Buffer.from(content);
  async function* chunks() {
    for (let at = 0; at < bytes.byteLength; at += 1_000) yield bytes.subarray(at, at + 1_000);
  }
  const known = { path: name, size: bytes.byteLength, crc32: crc32(bytes), modifiedAt: NOON };
  return { ...known, ...changes, open: async () => chunks() };
}

/** Like {@link fileOf}, with the method `read`; opening it fails. */
function readableFileOf(name: string, content: string | Uint8Array, changes: EntryChanges = {}): ZipEntry {
  const open = () => Promise.reject(new Error('opened, though it could be read'));
  return { ...fileOf(name, content, changes), open, read: async () => Buffer.from(content) };
}

function directoryOf(name: string): ZipEntry {
  const open = () => Promise.reject(new Error('a directory has no bytes'));
  return { path: name, size: 0, crc32: null, modifiedAt: NOON, open };
}

async function zipOf(entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): Promise<Buffer> {
  return Buffer.concat(await collect(writeZip(entries)));
}

const variety = [
  directoryOf('photos/'),
  fileOf('photos/a.txt', 'with a CRC from the start'),
  fileOf('photos/b.txt', 'with a CRC after it', { crc32: null }),
  readableFileOf('photos/c.txt', 'read at once'),
  readableFileOf('photos/d.txt', 'read into memory, CRC after it', { crc32: null }),
  fileOf('photos/empty.txt', ''),
  fileOf('photos/empty-too.txt', '', { crc32: null }),
  directoryOf('photos/empty/'),
  fileOf('photos/Übung 日本 👍.bin', Buffer.alloc(300_000, 'x')),
];

test('names, bytes, times and modes are read back as they were written', async () => {
  const found = await readBack(await zipOf(variety));
  assert.deepEqual(
    found.map(({ entry }) => entry.fileName),
    variety.map((entry) => entry.path),
  );
  assert.equal(String(found[1]?.bytes), 'with a CRC from the start');
  assert.equal(String(found[2]?.bytes), 'with a CRC after it');
  assert.equal(String(found[3]?.bytes), 'read at once');
  assert.equal(String(found[4]?.bytes), 'read into memory, CRC after it');
  assert.ok(found[8]?.bytes.equals(Buffer.alloc(300_000, 'x')));
  for (const { entry } of found) {
    assert.equal(entry.getLastModDate().getTime(), NOON);
    assert.equal(entry.getLastModDate({ forceDosFormat: true, timezone: 'UTC' }).getTime(), NOON - 1_000);
    const mode = entry.externalFileAttributes >>> 16;
    assert.equal(mode, entry.fileName.endsWith('/') ? 0o040755 : 0o100644);
    assert.equal(entry.compressionMethod, 0);
    assert.equal(entry.generalPurposeBitFlag & 0x800, 0x800);
  }
});

test('only a non-empty entry with an unknown CRC has a data descriptor', async () => {
  const found = await readBack(await zipOf(variety));
  const described = found.filter(({ entry }) => (entry.generalPurposeBitFlag & 8) !== 0);
  assert.deepEqual(
    described.map(({ entry }) => entry.fileName),
    ['photos/b.txt', 'photos/d.txt'],
  );
});

test('Python, if installed, reads the same as the reader of the tests', async () => {
  const archive = await zipOf(variety);
  assert.equal((await readBack(archive)).length, variety.length);
  const directory = await mkdtemp(path.join(tmpdir(), 'zip-writer-'));
  try {
    const file = path.join(directory, 'a.zip');
    await writeFile(file, archive);
    assert.doesNotMatch(await runWherePresent('python3', ['-m', 'zipfile', '-t', file]), /corrupted/);
  } finally {
    await rm(directory, { recursive: true });
  }
});

async function runWherePresent(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args)).stdout;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

test('an archive without entries is valid', async () => {
  const archive = await zipOf([]);
  assert.equal(archive.byteLength, 22);
  assert.equal(archive.byteLength, zipLength([]));
  assert.deepEqual(await readBack(archive), []);
});

test('the entries may come from an async generator', async () => {
  async function* oneByOne() {
    yield* variety;
  }
  assert.ok((await zipOf(oneByOne())).equals(await zipOf(variety)));
});

test('times outside the range of the MS-DOS or 32-bit fields are kept', async () => {
  const times = [-1, 0, Date.UTC(1979, 11, 31), 2 ** 31 * 1_000, Date.UTC(2200, 0, 1)];
  const entries = times.map((modifiedAt, index) => fileOf(`${index}`, 'x', { modifiedAt }));
  const archive = await zipOf(entries);
  assert.equal(archive.byteLength, zipLength(entries));
  const found = await readBack(archive);
  const read = found.map(({ entry }) => entry.getLastModDate({ timezone: 'UTC' }).getTime());
  // Unix times have whole seconds.
  assert.deepEqual(read, [-1_000, ...times.slice(1)]);
});

test('the computed length is the length of the written archive', async () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    // Not a letter, because the reader treats a letter before a colon as a Windows drive.
    .map((text) => `_${text.toWellFormed()}`);
  const entry = fc
    .record({
      name: name.map((text) => text.replaceAll(/[/\\]/g, '_')),
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 50 }),
        fc.integer({ min: 0, max: 200_000 }).map((size) => Buffer.alloc(size, 7)),
      ),
      kind: fc.constantFrom('file', 'readable', 'directory'),
      isKnown: fc.boolean(),
      modifiedAt: fc.integer({ min: -(10 ** 12), max: 10 ** 13 }),
    })
    .map(({ name, bytes, kind, isKnown, modifiedAt }) => {
      const changes = isKnown ? { modifiedAt } : { modifiedAt, crc32: null };
      if (kind === 'directory') return directoryOf(`${name}/`);
      // Only small files are read into memory.
      const isRead = kind === 'readable' && bytes.byteLength <= 65_536;
      return isRead ? readableFileOf(name, bytes, changes) : fileOf(name, bytes, changes);
    });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 12 }), async (entries) => {
      const archive = await zipOf(entries);
      assert.equal(archive.byteLength, zipLength(entries));
      assert.equal((await readBack(archive)).length, entries.length);
    }),
    { numRuns: isFull ? 60 : 20 },
  );
});

for (const count of [65_534, 65_535, 70_000]) {
  // Always tests 65,535: from there on, the count is in ZIP64 fields.
  const options = count === 65_535 ? {} : inFull;
  test(`${count} entries are all read back`, options, async () => {
    const entries = Array.from({ length: count }, (_, index) => fileOf(`${index}`, ''));
    const archive = await zipOf(entries);
    assert.equal(archive.byteLength, zipLength(entries));
    const zip = await openZip((done) => fromBuffer(archive, { lazyEntries: true }, done));
    assert.equal(zip.entryCount, count);
    let next = 0;
    zip.on('entry', (entry: Entry) => {
      assert.equal(entry.fileName, `${next}`);
      next += 1;
      zip.readEntry();
    });
    zip.readEntry();
    await once(zip, 'end');
    assert.equal(next, count);
    // The old record has the number of entries if it fits into the field (APPNOTE, section 4.4.1.4).
    assert.equal(archive.readUInt16LE(archive.byteLength - 12), Math.min(count, 0xffff));
    assert.equal(archive.includes('PK\x06\x06', archive.byteLength - 98, 'latin1'), count >= 0xffff);
  });
}

const ZEROS = Buffer.alloc(32 * 1_024 * 1_024);

/** A file of zeros that are generated while it is read. */
function zerosOf(name: string, size: number, crc: number | null): ZipEntry {
  async function* chunks() {
    for (let left = size; left > 0; left -= ZEROS.byteLength)
      yield ZEROS.subarray(0, Math.min(left, ZEROS.byteLength));
  }
  return { path: name, size, crc32: crc, modifiedAt: NOON, open: async () => chunks() };
}

/** Stores an archive without its zeros, but can be read as if it were complete. */
class SparseArchive extends RandomAccessReader {
  readonly #pieces: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
  length = 0;

  async take(archive: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const bytes of archive) {
      if (bytes.buffer !== ZEROS.buffer) this.#pieces.push({ offset: this.length, bytes });
      this.length += bytes.byteLength;
    }
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const content = Buffer.alloc(end - start);
    for (const { offset, bytes } of this.#pieces) {
      const from = Math.max(start, offset);
      const to = Math.min(end, offset + bytes.byteLength);
      if (from < to) content.set(bytes.subarray(from - offset, to - offset), from - start);
    }
    return Readable.from([content]);
  }
}

// The CRC that zlib computes for 4 GiB of zeros. It is a constant, so that it does not come from the tested
// code.
const CRC_OF_4_GIB = 0xd202ef8d;

test('sizes and offsets beyond 4 GiB are written in ZIP64 fields', inFull, async () => {
  const entries = [
    zerosOf('just-below', 2 ** 32 - 2, null),
    fileOf('at-the-limit', 'small, at an offset that still fits'),
    fileOf('beyond', 'small, at an offset that does not'),
  ];
  await assertReadableBeyond4GiB(entries, ['at-the-limit', 'beyond']);
});

test('a file of 4 GiB with a data descriptor is written in ZIP64 fields', inFull, async () => {
  const entries = [zerosOf('big', 2 ** 32, null), fileOf('beyond', 'small', { crc32: null })];
  const [big] = await assertReadableBeyond4GiB(entries, ['beyond']);
  assert.equal(big?.crc32, CRC_OF_4_GIB);
});

test('a file of 4 GiB with a known CRC is written in ZIP64 fields', async () => {
  const entries = [fileOf('before', 'small'), zerosOf('big', 2 ** 32, CRC_OF_4_GIB)];
  await assertReadableBeyond4GiB(entries, ['before']);
});

async function assertReadableBeyond4GiB(
  entries: readonly ZipEntry[],
  small: readonly string[],
): Promise<Entry[]> {
  const archive = new SparseArchive();
  await archive.take(writeZip(entries));
  assert.equal(archive.length, zipLength(entries));
  const options = { lazyEntries: true, autoClose: false };
  const zip = await openZip((done) => fromRandomAccessReader(archive, archive.length, options, done));
  const found = await collect(entriesOf(zip));
  assert.deepEqual(
    found.map(({ fileName, uncompressedSize }) => ({ path: fileName, size: uncompressedSize })),
    entries.map(({ path, size }) => ({ path, size })),
  );
  for (const entry of found) {
    if (!small.includes(entry.fileName)) continue;
    assert.equal(crc32(await readEntry(zip, entry)), entry.crc32);
  }
  return found;
}

const wrong: readonly [string, ZipEntry][] = [
  ['gives fewer bytes than announced', fileOf('a', 'short', { size: 6 })],
  ['gives more bytes than announced', fileOf('a', 'rather long', { size: 6 })],
  ['gives fewer bytes and has no CRC', fileOf('a', 'short', { size: 6, crc32: null })],
  ['has another CRC', fileOf('a', 'altered', { crc32: crc32('genuine') })],
  ['is read and gives fewer bytes', readableFileOf('a', 'short', { size: 6 })],
  ['is read and has another CRC', readableFileOf('a', 'altered', { crc32: crc32('genuine') })],
  ['is empty and has a CRC', fileOf('a', '', { crc32: 7 })],
  ['is a directory with bytes', { ...fileOf('a/', 'x') }],
  ['has no name', fileOf('', 'x')],
  ['has a name beyond 65,535 bytes', fileOf('a'.repeat(65_536), 'x')],
];

for (const [fault, entry] of wrong) {
  test(`writing an entry that ${fault} fails`, async () => {
    await assert.rejects(zipOf([fileOf('good', 'good'), entry, fileOf('next', 'next')]));
  });
}

test('writing fails if an entry cannot be opened or read, and no other source stays open', async () => {
  const fails = () => Promise.reject(new Error('gone'));
  const rest = Array.from({ length: 20 }, (_, index) => ({
    ...readableFileOf(`${index}`, 'x'),
    read: fails,
  }));
  await assert.rejects(zipOf([{ ...fileOf('a', 'x'), open: fails }, ...rest]), /gone/);
  await assert.rejects(zipOf(rest), /gone/);
});

test('a few small files are read ahead, and all are written in order', async () => {
  let underWay = 0;
  let most = 0;
  const entries = Array.from({ length: 50 }, (_, index): ZipEntry => {
    const read = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let turn = 0; turn <= (index * 7) % 5; turn += 1) await nextTurn();
      underWay -= 1;
      return Buffer.from(`number ${index}`);
    };
    return { ...readableFileOf(`${index}`, `number ${index}`), read };
  });
  const found = await readBack(await zipOf(entries));
  for (const [index, { bytes }] of found.entries()) assert.equal(String(bytes), `number ${index}`);
  assert.ok(most > 1 && most <= 9, `${most} at a time`);
});

test('a large file is never read into memory', async () => {
  const content = Buffer.alloc(70_000, 'x');
  const entry = { ...fileOf('a', content), read: () => Promise.reject(new Error('read at once')) };
  assert.equal((await readBack(await zipOf([entry])))[0]?.bytes.byteLength, 70_000);
});

test('small pieces are joined into larger ones', async () => {
  const entries = Array.from({ length: 1_000 }, (_, index) =>
    readableFileOf(`${index}`, Buffer.alloc(1_000)),
  );
  const pieces = await collect(writeZip(entries));
  const total = zipLength(entries);
  assert.ok(pieces.length <= total / 65_536 + 1, `${pieces.length} pieces`);
});

test('sources are not read faster than the archive', async () => {
  let given = 0;
  async function* chunks() {
    for (; given < 1_000; given += 1) yield Buffer.alloc(65_536);
  }
  const entry = { ...fileOf('a', ''), size: 65_536_000, crc32: null, open: async () => chunks() };
  const archive = writeZip([entry]);
  for (let taken = 0; taken < 10; taken += 1) await archive.next();
  assert.ok(given <= 10, `${given} chunks`);
  await archive.return(undefined);
});

test('sources are closed when the reader stops early', async () => {
  const source = Readable.from([Buffer.alloc(65_536), Buffer.alloc(65_536)]);
  const entry = { ...fileOf('a', ''), size: 131_072, crc32: null, open: async () => source };
  const archive = writeZip([entry]);
  await archive.next();
  await archive.next();
  await archive.return(undefined);
  assert.equal(source.destroyed, true);
});

test('the signal also aborts a source that has stalled', async () => {
  const abort = new AbortController();
  // Aborted when the writer waits for the first bytes.
  const stalled = new Readable({ read: () => void setImmediate(() => abort.abort()) });
  const entry = { ...fileOf('a', ''), size: 131_072, crc32: null, open: async () => stalled };
  const written = collect(writeZip([entry], { signal: abort.signal }));
  await assert.rejects(written, { name: 'AbortError' });
  assert.equal(stalled.destroyed, true);
});

test('an aborted signal opens no source', async () => {
  const written = collect(writeZip([directoryOf('a/')], { signal: AbortSignal.abort() }));
  await assert.rejects(written, { name: 'AbortError' });
});
