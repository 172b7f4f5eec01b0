// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { isFull } from '../../../../../tools/testing/tiers.ts';
import { collect } from '../../../../test/support/zip/zip-reading.ts';
import { type ByteRange, lengthOf } from '../../../base/bytes/byte-range.ts';
import type { EntryMetadata } from '../records.ts';
import { ZipLayout } from './layout.ts';
import { readArchiveRange, type StoredArchive } from './stored-archive.ts';
import { writeZip } from './writer.ts';

const NOON = Date.UTC(2026, 2, 1, 12, 30, 31);
const ENDLESS = new AbortController().signal;

interface TestFile {
  readonly path: string;
  readonly bytes: Buffer;
}

const bytes = fc.oneof(
  { weight: 3, arbitrary: fc.uint8Array({ maxLength: 50 }).map((array) => Buffer.from(array)) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 150_000 }).map(patternOf) },
);
const path = fc.string({ maxLength: 9 }).map((text) => `${text}.txt`);
const file = fc.record({ path, bytes });
const directory = fc.constant({ path: 'directory/', bytes: Buffer.alloc(0) });
const files = fc.array(fc.oneof({ weight: 4, arbitrary: file }, { weight: 1, arbitrary: directory }), {
  maxLength: 25,
});
/** The start and end of a range, as fractions of the archive. */
const cut = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));

test('any range has the same bytes as that part of the whole archive', async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.array(cut, { minLength: 1, maxLength: 8 }), async (content, cuts) => {
      const whole = await wholeOf(content);
      const archive = new TestArchive(content);
      assert.equal(archive.layout.bytes, whole.byteLength);
      assert.ok((await archive.read({ start: 0, end: whole.byteLength - 1 })).equals(whole));
      for (const fractions of cuts) {
        const [start = 0, end = 0] = fractions
          .map((fraction) => Math.floor(fraction * (whole.byteLength - 1)))
          .sort((one, other) => one - other);
        const part = await archive.read({ start, end });
        assert.ok(part.equals(whole.subarray(start, end + 1)), `bytes ${start} to ${end}`);
      }
    }),
    { numRuns: isFull ? 60 : 20 },
  );
});

test('every single byte of a small archive can be read', async () => {
  const content = [textFile('a', 'first'), { path: 'b/', bytes: Buffer.alloc(0) }, textFile('b/c', '')];
  const whole = await wholeOf(content);
  const archive = new TestArchive(content);
  for (let at = 0; at < whole.byteLength; at += 1) {
    assert.deepEqual(await archive.read({ start: at, end: at }), whole.subarray(at, at + 1), `byte ${at}`);
  }
});

test('only the covered bytes of the covered files are read', async () => {
  const content = ['a', 'b', 'c', 'd'].map((path) => ({ path, bytes: patternOf(200_000) }));
  const archive = new TestArchive(content);
  const start = archive.layout.offsetOf(1) + 150_000;
  await archive.read({ start, end: archive.layout.offsetOf(2) + 99 });
  const header = 30 + 1 + 9;
  assert.deepEqual(archive.reads, [
    { path: 'b', start: 150_000 - header, end: 199_999 },
    { path: 'c', start: 0, end: 99 - header },
  ]);
  archive.reads.length = 0;
  await archive.read({ start: archive.layout.headerOffsetOf(0), end: archive.layout.bytes - 1 });
  assert.deepEqual(archive.reads, []);
});

test('a damaged file makes reading fail if it is read as a whole', async () => {
  for (const size of [100, 200_000]) {
    const archive = new TestArchive([{ path: 'a', bytes: patternOf(size) }]);
    archive.files[0]?.bytes.fill(1);
    await assert.rejects(
      archive.read({ start: 0, end: archive.layout.bytes - 1 }),
      /other bytes than announced/,
    );
  }
});

test('a file that has become shorter makes reading fail', async () => {
  for (const size of [100, 200_000]) {
    const content = [{ path: 'a', bytes: patternOf(size) }];
    const archive = new TestArchive(content);
    content[0] = { path: 'a', bytes: patternOf(size - 10) };
    await assert.rejects(archive.read({ start: 60, end: archive.layout.bytes - 1 }), /fewer bytes/);
  }
});

test('an abort stops the reading', async () => {
  const archive = new TestArchive([textFile('a', 'x'), textFile('b', 'y')]);
  const stop = new AbortController();
  const reading = readArchiveRange(archive, { start: 0, end: archive.layout.bytes - 1 }, stop.signal);
  stop.abort(new Error('The client left.'));
  await assert.rejects(collect(reading), /The client left/);
});

/** An archive of files in memory that records which of their bytes are read. */
class TestArchive implements StoredArchive {
  readonly files: readonly TestFile[];
  readonly layout = new ZipLayout();
  readonly reads: { path: string; start: number; end: number }[] = [];
  readonly #metadata: readonly EntryMetadata[];

  constructor(content: readonly TestFile[]) {
    this.files = content;
    this.#metadata = content.map(toMetadata);
    for (const metadata of this.#metadata) this.layout.add(metadata);
  }

  metadataAt(index: number): EntryMetadata {
    const metadata = this.#metadata[index];
    assert.ok(metadata);
    return metadata;
  }

  async *entries(from: number, to: number) {
    for (let index = from; index < to; index += 1) {
      const read = (range: ByteRange) => this.#read(index, range);
      yield {
        read: async (range: ByteRange) => read(range),
        open: async (range: ByteRange) => chunksOf(read(range)),
      };
    }
  }

  async read(range: ByteRange): Promise<Buffer> {
    const part = Buffer.concat(await collect(readArchiveRange(this, range, ENDLESS)));
    assert.equal(part.byteLength, lengthOf(range));
    return part;
  }

  #read(index: number, { start, end }: ByteRange): Buffer {
    const { path, bytes } = this.files[index] ?? textFile('none', '');
    this.reads.push({ path, start, end });
    return bytes.subarray(start, end + 1);
  }
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += 40_000) yield bytes.subarray(at, at + 40_000);
}

async function wholeOf(content: readonly TestFile[]): Promise<Buffer> {
  const entries = content.map((each) => ({ ...toMetadata(each), open: async () => chunksOf(each.bytes) }));
  return Buffer.concat(await collect(writeZip(entries)));
}

function toMetadata({ path, bytes }: TestFile): EntryMetadata {
  return { path, size: bytes.byteLength, crc32: crc32(bytes), modifiedAt: NOON };
}

function textFile(path: string, text: string): TestFile {
  return { path, bytes: Buffer.from(text) };
}

function patternOf(size: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) & 255));
}
