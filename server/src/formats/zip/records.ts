// The records of a ZIP archive, as in PKWARE's APPNOTE 6.3.10, to which the section numbers refer. ZIP64
// (sections 4.3.9.2 and 4.5.3) is used only for values that do not fit into their old field. The old field
// then gets its maximum, and the value itself is written with 8 bytes to an extra field or record.
//
// For a stored entry everything except the CRC is known in advance, and so are the lengths of all records.

import type { Instant } from '../../base/clock.ts';

/** The values that the records of one entry contain. */
export interface EntryMetadata {
  /** `/`-separated, no leading `/`; a directory ends with one. */
  readonly path: string;
  /** Bytes; 0 for a directory. */
  readonly size: number;
  /** Null if it is known only after the bytes were written. A data descriptor then follows the bytes. */
  readonly crc32: number | null;
  readonly modifiedAt: Instant;
  /**
   * Bytes after deflating; null if known only after they were written; absent for a stored entry.
   */
  readonly deflatedSize?: number | null;
}

/** The values that are known once the bytes of an entry are written. */
export interface WrittenBytes {
  readonly crc32: number;
  /** Bytes of the stored or deflated content. */
  readonly packedSize: number;
}

export const MAX_32_BITS = 0xffff_ffff;
export const MAX_16_BITS = 0xffff;

/** Compression methods (section 4.4.5). */
export const STORED = 0;
export const DEFLATED = 8;
export const DEFLATED_64 = 9;

const ZIP64_ID = 0x0001;
const EXTENDED_TIMESTAMP_ID = 0x5455;
const NTFS_ID = 0x000a;

// Sections 4.4.2 and 4.4.3: made on Unix (3) by version 6.3; readable from version 2.0, with ZIP64 values
// from 4.5.
const MADE_BY = (3 << 8) | 63;
const MIN_VERSION = 20;
const MIN_VERSION_ZIP64 = 45;

// Flags (section 4.4.4): bit 3, a data descriptor follows the bytes; bit 11, the name is UTF-8.
const HAS_DESCRIPTOR = 1 << 3;
const IS_UTF8 = 1 << 11;

// Section 4.4.15: the upper half is the Unix mode (S_IFREG | 0644, S_IFDIR | 0755), the lowest byte is for
// MS-DOS.
const FILE_ATTRIBUTES = 0o100644 * 0x1_0000;
const DIRECTORY_ATTRIBUTES = 0o040755 * 0x1_0000 + 0x10;

/** The record before the bytes of an entry (section 4.3.7). */
export function localHeader(metadata: EntryMetadata): Buffer {
  const name = toName(metadata.path);
  const timestamp = timestampField(metadata.modifiedAt);
  // The ZIP64 field of a local header always has both sizes (section 4.5.3). Unknown ones are 0 (section
  // 4.4.4).
  const [size, packedSize] = isKnownInAdvance(metadata) ? [metadata.size, toPackedSize(metadata)] : [0, 0];
  const isWide = mayBeWide(metadata);
  const zip64 = isWide ? zip64Field([size, packedSize]) : EMPTY;

  const record = Buffer.allocUnsafe(30 + name.length + timestamp.length + zip64.length);
  record.writeUInt32LE(0x0403_4b50, 0);
  record.writeUInt16LE(isWide ? MIN_VERSION_ZIP64 : MIN_VERSION, 4);
  writeCommonFields(record, 6, metadata, isKnownInAdvance(metadata) ? (metadata.crc32 ?? 0) : 0);
  record.writeUInt32LE(isWide ? MAX_32_BITS : packedSize, 18);
  record.writeUInt32LE(isWide ? MAX_32_BITS : size, 22);
  record.writeUInt16LE(name.length, 26);
  record.writeUInt16LE(timestamp.length + zip64.length, 28);
  append(record, 30, name, timestamp, zip64);
  return record;
}

/**
 * The record after the bytes of an entry if its sizes or CRC were not known in advance, otherwise empty
 * (section 4.3.9).
 */
export function dataDescriptor(metadata: EntryMetadata, { crc32, packedSize }: WrittenBytes): Buffer {
  if (isKnownInAdvance(metadata)) return EMPTY;
  const isWide = mayBeWide(metadata);
  const record = Buffer.allocUnsafe(isWide ? 24 : 16);
  record.writeUInt32LE(0x0807_4b50, 0);
  record.writeUInt32LE(crc32, 4);
  if (isWide) {
    writeUInt64LE(record, packedSize, 8);
    writeUInt64LE(record, metadata.size, 16);
  } else {
    record.writeUInt32LE(packedSize, 8);
    record.writeUInt32LE(metadata.size, 12);
  }
  return record;
}

/**
 * The record of an entry in the central directory (section 4.3.12).
 * @param offset of the local header
 */
export function centralHeader(
  metadata: EntryMetadata,
  { crc32, packedSize }: WrittenBytes,
  offset: number,
): Buffer {
  const name = toName(metadata.path);
  const timestamp = timestampField(metadata.modifiedAt);
  const wide = [metadata.size, packedSize, offset].filter((value) => value >= MAX_32_BITS);
  const zip64 = wide.length === 0 ? EMPTY : zip64Field(wide);

  // `Buffer.alloc` would make a separate allocation for each record. A hundred thousand of them keep the
  // garbage collector busy for 30 ms at a time.
  const record = Buffer.allocUnsafe(46 + name.length + timestamp.length + zip64.length);
  record.writeUInt32LE(0x0201_4b50, 0);
  record.writeUInt16LE(MADE_BY, 4);
  record.writeUInt16LE(zip64.length > 0 ? MIN_VERSION_ZIP64 : MIN_VERSION, 6);
  writeCommonFields(record, 8, metadata, crc32);
  record.writeUInt32LE(Math.min(packedSize, MAX_32_BITS), 20);
  record.writeUInt32LE(Math.min(metadata.size, MAX_32_BITS), 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(timestamp.length + zip64.length, 30);
  // Zeros: no comment, the first disk, no internal attributes.
  record.fill(0, 32, 38);
  record.writeUInt32LE(isDirectory(metadata) ? DIRECTORY_ATTRIBUTES : FILE_ATTRIBUTES, 38);
  record.writeUInt32LE(Math.min(offset, MAX_32_BITS), 42);
  append(record, 46, name, timestamp, zip64);
  return record;
}

/** Position and size of the central directory. */
export interface CentralDirectory {
  readonly entryCount: number;
  /** Bytes from the start of the archive. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
}

/**
 * The records at the end of the archive: section 4.3.16, and for large values sections 4.3.14 and 4.3.15
 * before it.
 */
export function endRecords({ entryCount, offset, size }: CentralDirectory): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(entryCount, MAX_16_BITS), 8);
  end.writeUInt16LE(Math.min(entryCount, MAX_16_BITS), 10);
  end.writeUInt32LE(Math.min(size, MAX_32_BITS), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32_BITS), 16);
  if (entryCount < MAX_16_BITS && size < MAX_32_BITS && offset < MAX_32_BITS) return end;

  const wide = Buffer.alloc(56);
  wide.writeUInt32LE(0x0606_4b50, 0);
  writeUInt64LE(wide, 56 - 12, 4); // without this field and the signature before it
  wide.writeUInt16LE(MADE_BY, 12);
  wide.writeUInt16LE(MIN_VERSION_ZIP64, 14);
  writeUInt64LE(wide, entryCount, 24);
  writeUInt64LE(wide, entryCount, 32);
  writeUInt64LE(wide, size, 40);
  writeUInt64LE(wide, offset, 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x0706_4b50, 0);
  writeUInt64LE(locator, offset + size, 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([wide, locator, end]);
}

/** The total length of {@link localHeader}, the bytes and {@link dataDescriptor}. */
export function lengthInArchive(metadata: EntryMetadata, packedSize: number): number {
  const isWide = mayBeWide(metadata);
  const extra = timestampLength(metadata.modifiedAt) + (isWide ? 20 : 0);
  const descriptor = isKnownInAdvance(metadata) ? 0 : isWide ? 24 : 16;
  return 30 + Buffer.byteLength(metadata.path) + extra + packedSize + descriptor;
}

/** The length of {@link centralHeader}. */
export function lengthInDirectory(metadata: EntryMetadata, packedSize: number, offset: number): number {
  const wideBytes = 8 * [metadata.size, packedSize, offset].filter((value) => value >= MAX_32_BITS).length;
  const extra = timestampLength(metadata.modifiedAt) + (wideBytes === 0 ? 0 : 4 + wideBytes);
  return 46 + Buffer.byteLength(metadata.path) + extra;
}

export function isDirectory(metadata: EntryMetadata): boolean {
  return metadata.path.endsWith('/');
}

const EMPTY = Buffer.alloc(0);

/** Whether the local header contains all values, so that no data descriptor follows. */
function isKnownInAdvance({ crc32, deflatedSize }: EntryMetadata): boolean {
  return crc32 !== null && deflatedSize !== null;
}

function toPackedSize({ size, deflatedSize }: EntryMetadata): number {
  return deflatedSize ?? size;
}

// Whether a size may exceed 32 bits. Readers derive the width of the descriptor from the local header
// (section 4.3.9.2), which is written before the deflated size is known. Deflate adds at most 5 bytes to a
// block of 64 KiB that it cannot compress (RFC 1951, section 3.2.4).
function mayBeWide({ size, deflatedSize }: EntryMetadata): boolean {
  const packedSize = deflatedSize === null ? size + size / 4_096 + 64 : (deflatedSize ?? size);
  return Math.max(size, packedSize) >= MAX_32_BITS;
}

function toName(path: string): Buffer {
  const name = Buffer.from(path);
  if (name.length === 0 || name.length > MAX_16_BITS) {
    throw new RangeError(`A name of ${name.length} bytes does not fit into a ZIP archive.`);
  }
  return name;
}

// The fields that both headers have in the same order: flags, method (section 4.4.5), time, date, CRC.
function writeCommonFields(record: Buffer, at: number, metadata: EntryMetadata, crc32: number): void {
  record.writeUInt16LE(isKnownInAdvance(metadata) ? IS_UTF8 : IS_UTF8 | HAS_DESCRIPTOR, at);
  record.writeUInt16LE(metadata.deflatedSize === undefined ? STORED : DEFLATED, at + 2);
  record.writeUInt32LE(toDosTime(metadata.modifiedAt), at + 4);
  record.writeUInt32LE(crc32, at + 8);
}

// Section 4.4.6: two-second steps from 1980 to 2107, with the date in the upper half. MS-DOS times are local
// times in an unknown zone. The writer uses UTC, and stores the exact instant in the extended timestamp.
const DOS_EARLIEST = Date.UTC(1980, 0, 1);
const DOS_LATEST = Date.UTC(2107, 11, 31, 23, 59, 58);

function toDosTime(instant: Instant): number {
  const date = new Date(Math.min(Math.max(instant, DOS_EARLIEST), DOS_LATEST));
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return day * 0x1_0000 + time;
}

// Info-ZIP's extended timestamp (mentioned in section 4.6.1): flags (1: modification time), then seconds as a
// signed 32-bit number. Some readers treat it as unsigned. So instants before 1970 and after 2038 are also in
// the NTFS field (section 4.5.5), which has steps of 100 ns since 1601.
function timestampField(instant: Instant): Buffer {
  const field = Buffer.alloc(timestampLength(instant));
  let at = 0;
  if (isUnixTime(instant)) {
    field.writeUInt16LE(EXTENDED_TIMESTAMP_ID, 0);
    field.writeUInt16LE(5, 2);
    field.writeUInt8(1, 4);
    field.writeInt32LE(Math.floor(instant / 1_000), 5);
    at = EXTENDED_TIMESTAMP_BYTES;
  }
  if (!needsNtfs(instant)) return field;
  field.writeUInt16LE(NTFS_ID, at);
  field.writeUInt16LE(NTFS_BYTES - 4, at + 2);
  field.writeUInt16LE(1, at + 8);
  field.writeUInt16LE(24, at + 10);
  const ticks = BigInt(Math.floor(instant) + NTFS_EPOCH_MS) * 10_000n;
  for (const place of [12, 20, 28]) field.writeBigUInt64LE(ticks, at + place);
  return field;
}

const EXTENDED_TIMESTAMP_BYTES = 9;
const NTFS_BYTES = 36;

/** The time between 1601-01-01, where NTFS times begin, and 1970-01-01. */
export const NTFS_EPOCH_MS = 11_644_473_600_000;

function timestampLength(instant: Instant): number {
  return (isUnixTime(instant) ? EXTENDED_TIMESTAMP_BYTES : 0) + (needsNtfs(instant) ? NTFS_BYTES : 0);
}

function isUnixTime(instant: Instant): boolean {
  return Math.abs(instant / 1_000) < 2 ** 31;
}

function needsNtfs(instant: Instant): boolean {
  return (instant < 0 || instant / 1_000 >= 2 ** 31) && instant > -NTFS_EPOCH_MS;
}

function zip64Field(values: readonly number[]): Buffer {
  const field = Buffer.allocUnsafe(4 + 8 * values.length);
  field.writeUInt16LE(ZIP64_ID, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) writeUInt64LE(field, value, 4 + 8 * index);
  return field;
}

function writeUInt64LE(record: Buffer, value: number, at: number): void {
  record.writeUInt32LE(value % 2 ** 32, at);
  record.writeUInt32LE(Math.floor(value / 2 ** 32), at + 4);
}

function append(record: Buffer, at: number, ...parts: readonly Buffer[]): void {
  let position = at;
  for (const part of parts) position += part.copy(record, position);
}
