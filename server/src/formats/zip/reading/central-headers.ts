import { MAX_16_BITS, MAX_32_BITS } from '../records.ts';
import { CENTRAL_HEADER, checkEnd, type DirectoryPlace, tooMany } from './end-record.ts';
import { findField, WIDE_VALUES } from './extra-fields.ts';
import { ZipFault } from './fault.ts';
import type { ByteWindows } from './windows.ts';

const HEADER_BYTES = 46;

/** More than a hundred thousand entries with long names and comments need. */
const MAX_DIRECTORY_BYTES = 128 * 1_024 * 1_024;

/** A header of the central directory (section 4.3.12). */
export interface CentralHeader {
  readonly madeBy: number;
  readonly flags: number;
  readonly method: number;
  readonly dosTime: number;
  readonly dosDate: number;
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
  readonly attributes: number;
  /** The declared offset of the local header. */
  readonly offset: number;
  readonly rawName: Buffer;
  readonly extra: Buffer;
}

/** Reads the headers in order. @throws ZipFault if there are more or fewer than declared */
export async function* readHeaders(
  bytes: ByteWindows,
  place: DirectoryPlace,
  maxEntries: number,
): AsyncGenerator<CentralHeader> {
  if (place.end - place.offset > MAX_DIRECTORY_BYTES) {
    throw new ZipFault('The directory of the archive is larger than 128 MiB.');
  }
  let count = 0;
  let at = place.offset;
  for (; isMore(place, count) && (await isHeaderAt(bytes, at, place.end)); count += 1) {
    if (count === maxEntries) throw tooMany(maxEntries);
    const fixed = await bytes.get(at, HEADER_BYTES);
    const length = fixed.readUInt16LE(28) + fixed.readUInt16LE(30);
    yield toHeader(fixed, await bytes.get(at + HEADER_BYTES, length));
    at += HEADER_BYTES + length + fixed.readUInt16LE(32);
  }
  await checkEnd(bytes, at);
  if (!isCounted(place, count))
    throw new ZipFault('The archive is damaged: its directory does not end where it declares.');
}

function isMore({ entryCount, isCountCut }: DirectoryPlace, count: number): boolean {
  return isCountCut || count < entryCount;
}

async function isHeaderAt(bytes: ByteWindows, at: number, end: number): Promise<boolean> {
  return at + HEADER_BYTES <= end && (await bytes.get(at, 4)).readUInt32LE(0) === CENTRAL_HEADER;
}

function isCounted({ entryCount, isCountCut }: DirectoryPlace, count: number): boolean {
  return isCountCut ? (count & MAX_16_BITS) === entryCount : count === entryCount;
}

function toHeader(fixed: Buffer, rest: Buffer): CentralHeader {
  const nameLength = fixed.readUInt16LE(28);
  const extra = rest.subarray(nameLength);
  const [size, packedSize, offset] = widened(
    [fixed.readUInt32LE(24), fixed.readUInt32LE(20), fixed.readUInt32LE(42)],
    extra,
  );
  return {
    madeBy: fixed.readUInt16LE(4),
    flags: fixed.readUInt16LE(8),
    method: fixed.readUInt16LE(10),
    dosTime: fixed.readUInt16LE(12),
    dosDate: fixed.readUInt16LE(14),
    crc32: fixed.readUInt32LE(16),
    size,
    packedSize,
    attributes: fixed.readUInt32LE(38),
    offset,
    // A copy, because the original keeps a window of the archive in memory.
    rawName: Buffer.from(rest.subarray(0, nameLength)),
    extra,
  };
}

type SizesAndOffset = [size: number, packedSize: number, offset: number];

/** Replaces values that did not fit into the header by those of the ZIP64 field (section 4.5.3), in order. */
function widened(values: SizesAndOffset, extra: Buffer): SizesAndOffset {
  if (!values.includes(MAX_32_BITS)) return values;
  const field = findField(extra, WIDE_VALUES);
  if (field === undefined) return values;
  let at = 0;
  return values.map((value) => {
    if (value !== MAX_32_BITS) return value;
    if (at + 8 > field.byteLength) throw new ZipFault('The archive is damaged: a ZIP64 field is too short.');
    at += 8;
    return Number(field.readBigUInt64LE(at - 8));
  }) as SizesAndOffset;
}
