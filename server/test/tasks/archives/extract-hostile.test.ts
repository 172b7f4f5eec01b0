// tier: default
// runs on: sqlite
// Malicious archives, built byte by byte. Each fails as a whole, leaves nothing and names the reason.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { ArchiveTasks } from '../../support/tasks/archive-tasks.ts';
import { DEFAULT_NAMES } from '../../support/zip/hostile-names.ts';
import { type ForgedEnd, type ForgedEntry, forgeZip, unixMode } from '../../support/zip/zip-forge.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const tasks = new ArchiveTasks(holdall);

const good: ForgedEntry = { name: 'good.txt', content: 'good' };
const good2: ForgedEntry = { name: 'good2.txt', content: 'good too' };
const zeros = Buffer.alloc(4_000_000);
const HUFFMAN_ONLY = deflateRawSync(Buffer.alloc(600_000, 'abc'), { strategy: constants.Z_HUFFMAN_ONLY });

interface Hostile {
  readonly name: string;
  readonly entries?: readonly ForgedEntry[];
  readonly end?: ForgedEnd;
  readonly bytes?: Buffer;
  readonly message: RegExp;
}

const named = (name: string | Buffer): ForgedEntry => ({ name, content: 'x' });
const whole = forgeZip([good, { name: 'long.bin', content: zeros.subarray(0, 5_000), isDeflated: true }]);
const aDeflated = deflateRawSync(Buffer.from('a'.repeat(1_000)));

const HOSTILE: readonly Hostile[] = [
  {
    name: 'a path that leaves the directory',
    entries: [good, named('../evil.txt')],
    message: /"\.\.\/evil\.txt" leads out/,
  },
  {
    name: 'a path that leaves the directory in the middle',
    entries: [named('a/../../evil')],
    message: /leads out/,
  },
  { name: 'a path that ends in ..', entries: [named('a/..')], message: /leads out/ },
  {
    name: 'an absolute path',
    entries: [good, named('/etc/passwd')],
    message: /"\/etc\/passwd" has an absolute path/,
  },
  {
    name: 'a drive letter',
    entries: [named('C:/evil.txt')],
    message: /"C:\/evil\.txt" has an absolute path/,
  },
  {
    name: 'a path that leaves the directory with backslashes',
    entries: [good, { ...named('a\\..\\..\\evil.txt'), madeBy: 20 }, named('..\\evil.txt')],
    message: /"a\/\.\.\/\.\.\/evil\.txt" leads out/,
  },
  { name: 'an empty name', entries: [named('')], message: /without a name/ },
  {
    name: 'a path of 129 levels',
    entries: [named(`${'d/'.repeat(128)}f`), good],
    message: /"d" cannot be stored here.*128 levels/,
  },
  {
    name: 'a path beyond 4,096 bytes',
    entries: [named(`${`${'n'.repeat(255)}/`.repeat(16)}f`), good],
    message: /4096 bytes/,
  },
  { name: 'a name of 30,000 directories', entries: [named('d/'.repeat(30_000))], message: /4,096 bytes/ },
  {
    name: 'a name of 16,000 combining marks',
    entries: [named(`a${'\u0315\u0300'.repeat(8_000)}`)],
    message: /4,096 bytes/,
  },
  {
    name: 'a symbolic link',
    entries: [{ name: 'link', content: '/etc/passwd', attributes: unixMode(0o120777) }],
    message: /"link" is a symbolic link/,
  },
  {
    name: 'a symbolic link flagged as made by MS-DOS',
    entries: [{ name: 'link', content: 'x', madeBy: 20, attributes: unixMode(0o120777) }],
    message: /symbolic link/,
  },
  {
    name: 'a device',
    entries: [{ name: 'null', attributes: unixMode(0o020666) }],
    message: /"null" is a device/,
  },
  {
    name: 'a pipe',
    entries: [{ name: 'pipe', attributes: unixMode(0o010666) }],
    message: /"pipe" is a pipe/,
  },
  {
    name: 'a file of an unknown type',
    entries: [{ name: 'odd', attributes: unixMode(0o150644) }],
    message: /neither a file nor a directory/,
  },
  {
    name: 'a file and a directory with the same name',
    entries: [named('a'), named('a/b')],
    message: /more than one entry at "a\/b"/,
  },
  {
    name: 'a directory and a file with the same name',
    entries: [named('a/b'), named('a')],
    message: /more than one entry at "a"/,
  },
  { name: 'a directory with content', entries: [named('a/')], message: /"a\/" is a directory with bytes/ },
  {
    name: 'an encrypted entry',
    entries: [good, { ...good2, flags: 1 }],
    message: /"good2\.txt" is encrypted/,
  },
  { name: 'a strongly encrypted entry', entries: [{ ...good, flags: 0x41 }], message: /encrypted/ },
  {
    name: 'an unknown compression method',
    entries: [{ ...good, method: 12 }],
    message: /"good\.txt" uses an unsupported compression method \(12\)/,
  },
  { name: 'compressed patched data', entries: [{ ...good, flags: 0x20 }], message: /patch/ },
  { name: 'one volume of several', entries: [good], end: { disk: 1 }, message: /one part of several/ },
  {
    name: 'a wrong CRC',
    entries: [good, { ...good2, crc32: 1 }],
    message: /"good2\.txt" is damaged: its checksum/,
  },
  {
    name: 'a wrong CRC of a large entry',
    entries: [{ name: 'big', content: zeros, crc32: 1 }],
    message: /"big" is damaged: its checksum/,
  },
  {
    name: 'invalid deflated data',
    entries: [{ name: 'a', method: 8, packed: Buffer.from('nonsense'), size: 9, crc32: 1 }],
    message: /"a" is damaged/,
  },
  {
    name: 'invalid data of Deflate64',
    entries: [{ name: 'a', method: 9, packed: Buffer.from('nonsense'), size: 9, crc32: 1 }],
    message: /"a" is damaged/,
  },
  {
    name: 'a large entry of Deflate64 with more bytes than declared',
    // Without repetitions, Deflate64 is the same as Deflate.
    entries: [{ name: 'a', method: 9, packed: HUFFMAN_ONLY, size: 300_000, crc32: 1 }],
    message: /"a" does not have the size/,
  },
  {
    name: 'a small entry with more bytes than declared',
    entries: [{ name: 'a', isDeflated: true, content: 'a'.repeat(1_000), size: 999 }],
    message: /"a" does not have the size/,
  },
  {
    name: 'a small entry with fewer bytes than declared',
    entries: [{ name: 'a', isDeflated: true, content: 'a'.repeat(1_000), size: 1_001 }],
    message: /"a" does not have the size/,
  },
  {
    name: 'a large entry with more bytes than declared',
    entries: [{ name: 'a', isDeflated: true, content: poorlyCompressible(600_000), size: 300_000 }],
    message: /"a" does not have the size/,
  },
  {
    name: 'a large entry with fewer bytes than declared',
    entries: [{ name: 'a', isDeflated: true, content: poorlyCompressible(600_000), size: 600_001 }],
    message: /"a" does not have the size/,
  },
  {
    name: 'a stored entry with two different sizes',
    entries: [{ name: 'a', content: 'four', size: 3 }],
    message: /two different sizes/,
  },
  {
    name: 'hidden bytes after the deflated ones',
    entries: [
      {
        name: 'a',
        method: 8,
        packed: Buffer.concat([aDeflated, Buffer.from('hidden')]),
        content: 'a'.repeat(1_000),
      },
    ],
    message: /"a" does not have the size/,
  },
  {
    name: 'truncated deflated bytes',
    entries: [{ name: 'a', method: 8, packed: aDeflated.subarray(0, -2), content: 'a'.repeat(1_000) }],
    message: /"a" is damaged/,
  },
  {
    name: 'a zip bomb by compression ratio',
    entries: [good, { name: 'bomb', isDeflated: true, content: zeros }],
    message: /"bomb" would unpack to more than 1,000 times/,
  },
  {
    name: 'many entries that unpack to little each, but to too much together',
    entries: Array.from({ length: 40 }, (_, index) => ({
      ...{ name: `${index}`, method: 8, packed: aDeflated, content: 'a', size: 1_000_000 },
    })),
    message: /The archive would unpack to more than 1,000 times its size/,
  },
  {
    name: 'a declared size far above the packed size',
    entries: [{ name: 'a', method: 8, packed: aDeflated, content: 'a', size: 4_000_000_000 }],
    message: /1,000 times/,
  },
  { name: 'entries that share their bytes', entries: overlapping(), message: /"\d+" and "\d+" overlap/ },
  {
    name: 'an entry inside another',
    entries: [
      { name: 'outer', content: forgeZip([good]) },
      { ...good, offset: 35 },
    ],
    message: /"outer" and "good\.txt" overlap/,
  },
  {
    name: 'an entry that overlaps the central directory',
    entries: [good, { ...good2, packedSize: 60, size: 60 }],
    message: /"good2\.txt" reaches into the directory/,
  },
  {
    name: 'an entry hidden by a longer local header',
    entries: [{ ...good, local: { name: 'good.txt' }, packedSize: 4 }, good2].map(withLongLocalName),
    message: /differs from the directory/,
  },
  {
    name: 'an entry whose local header moves its content into the next entry',
    bytes: withLongLocalExtra(),
    message: /"moved" overlaps the bytes after it/,
  },
  {
    name: 'a local header with another name',
    entries: [{ ...good, local: { name: 'evil.txt' } }],
    message: /"good\.txt" is damaged: its header/,
  },
  {
    name: 'a local header with another size',
    entries: [{ ...good, local: { size: 3 } }],
    message: /differs from the directory/,
  },
  {
    name: 'a local header with another CRC',
    entries: [{ ...good, local: { crc32: 7 } }],
    message: /differs from the directory/,
  },
  {
    name: 'a local header with the encrypted flag',
    entries: [{ ...good, local: { flags: 1 } }],
    message: /differs from the directory/,
  },
  {
    name: 'an entry with an offset beyond the end',
    entries: [{ ...good, offset: 0x7000_0000 }],
    message: /reaches into the directory/,
  },
  {
    name: 'an entry count that is too low',
    entries: [good, good2],
    end: { entryCount: 1 },
    message: /directory does not end where it declares/,
  },
  { name: 'an entry count that is too high', entries: [good], end: { entryCount: 2 }, message: /damaged/ },
  {
    name: 'a central directory beyond the end',
    entries: [good],
    end: { directoryOffset: 0xffff_fff0 },
    message: /damaged or incomplete/,
  },
  { name: 'a truncated end', bytes: whole.subarray(0, -1), message: /not a ZIP archive, or the end|damaged/ },
  { name: 'half an archive', bytes: whole.subarray(0, 60), message: /not a ZIP archive/ },
  { name: 'a truncated beginning', bytes: whole.subarray(20), message: /damaged/ },
  { name: 'an empty file', bytes: Buffer.alloc(0), message: /not a ZIP archive/ },
  {
    name: 'a file of another format',
    bytes: Buffer.from('%PDF-1.7 and so on, quite long enough to be something'),
    message: /not a ZIP archive/,
  },
  { name: 'more than 100,000 entries', bytes: zip64Count(100_001), message: /more than 100,000 entries/ },
  {
    name: 'more than 100,000 directories that exist only in paths',
    entries: manyDirectories(),
    message: /more than 100,000 files and directories/,
  },
];

it('every case of the default tier exists', () => {
  const names = HOSTILE.map(({ name }) => name);
  assert.deepEqual(
    [...DEFAULT_NAMES].filter((name) => !names.includes(name)),
    [],
  );
});

describe('an archive with', () => {
  for (const { name, entries, end, bytes, message } of HOSTILE) {
    it(`${name} fails as a whole`, DEFAULT_NAMES.has(name) ? {} : inFull, async () => {
      await expectRejected(bytes ?? forgeZip(entries ?? [], end), message);
    });
  }
});

async function expectRejected(bytes: Buffer, message: RegExp): Promise<void> {
  const mallory = await holdall.register('mallory');
  const file = await mallory.upload('/hostile/archive.zip', new Uint8Array(bytes));
  await tasks.expectExtractFailure(mallory, file, 'UNSUPPORTED_INPUT', message);
}

/** Bytes that deflate makes slightly smaller. */
function poorlyCompressible(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let state = 1;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = (state >>> 16) & 0x3f;
  }
  return bytes;
}

/** Many entries whose central headers all refer to the same bytes. */
function overlapping(): ForgedEntry[] {
  const kernel = { name: '0', content: poorlyCompressible(10_000), isDeflated: true };
  return Array.from({ length: 50 }, (_, index) => ({
    ...kernel,
    name: `${index}`.slice(-1) + index,
    offset: 0,
  }));
}

/** The first local header and its CRC declare content that ends with the signature of the second header. */
function withLongLocalExtra(): Buffer {
  const bytes = forgeZip([{ name: 'moved', content: 'abcdefgh', crc32: crc32('efghPK\x03\x04') }, good]);
  bytes.writeUInt16LE(4, 28);
  return bytes;
}

function withLongLocalName(entry: ForgedEntry, index: number): ForgedEntry {
  return index === 0 ? { ...entry, local: { name: `good.txt${'x'.repeat(20)}` } } : entry;
}

/** A ZIP64 end record that claims many entries. */
function zip64Count(count: number): Buffer {
  const bytes = Buffer.alloc(56 + 20 + 22);
  bytes.writeUInt32LE(0x06064b50, 0);
  bytes.writeBigUInt64LE(44n, 4);
  bytes.writeBigUInt64LE(BigInt(count), 24);
  bytes.writeBigUInt64LE(BigInt(count), 32);
  bytes.writeUInt32LE(0x07064b50, 56);
  bytes.writeUInt32LE(1, 72);
  bytes.writeUInt32LE(0x06054b50, 76);
  bytes.writeUInt16LE(0xffff, 84);
  bytes.writeUInt16LE(0xffff, 86);
  return bytes;
}

function manyDirectories(): ForgedEntry[] {
  return Array.from({ length: 1_000 }, (_, index) => ({ name: `${index}/${'d/'.repeat(101)}` }));
}
