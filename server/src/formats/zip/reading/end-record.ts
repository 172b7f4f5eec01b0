// Finds the central directory of an archive. Mail programs, FTP and tapes append bytes to an archive, and a
// self-extracting archive begins with a program. So the declared position of the directory must be checked.

import { MAX_16_BITS } from '../records.ts';
import { ZipFault } from './fault.ts';
import type { ByteWindows } from './windows.ts';

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const WIDE_END_BYTES = 56;
const END = 0x0605_4b50;
const LOCATOR = 0x0706_4b50;
const WIDE_END = 0x0606_4b50;
const DIRECTORY_SIGNATURE = 0x0505_4b50;
export const CENTRAL_HEADER = 0x0201_4b50;

/** Covers the longest comment, and as many appended bytes. */
const SEARCHED_BYTES = END_BYTES + LOCATOR_BYTES + 2 * MAX_16_BITS;

/** Comments may contain the signature by accident. More occurrences are a deliberate attack. */
const MAX_CANDIDATES = 16;

export interface DirectoryPlace {
  readonly offset: number;
  /** The offset of the record after the directory. */
  readonly end: number;
  readonly entryCount: number;
  /** Whether the count may be cut off: old programs write only the lowest 16 bits of a larger number. */
  readonly isCountCut: boolean;
  /** How far behind its declared offset the directory is. */
  readonly shift: number;
}

/** @throws ZipFault */
export async function findDirectory(bytes: ByteWindows, maxEntries: number): Promise<DirectoryPlace> {
  const start = Math.max(0, bytes.size - SEARCHED_BYTES);
  const tail = await bytes.get(start, bytes.size - start);
  let fault: ZipFault | undefined;
  for (const at of candidatesIn(tail)) {
    try {
      return await readEnd(bytes, tail.subarray(at), { at: start + at, maxEntries });
    } catch (error) {
      if (!(error instanceof ZipFault)) throw error;
      fault ??= error;
    }
  }
  throw fault ?? new ZipFault('This is not a ZIP archive, or the end of it is missing.');
}

/**
 * The positions of possible end records. Those that end with the archive come first, then those with entries.
 */
function candidatesIn(tail: Buffer): readonly number[] {
  const found: number[] = [];
  const signature = Buffer.from('PK\x05\x06');
  for (let at = tail.byteLength - END_BYTES; at >= 0 && found.length < MAX_CANDIDATES; at -= 1) {
    at = tail.lastIndexOf(signature, at);
    if (at < 0) break;
    found.push(at);
  }
  const rank = (at: number) => {
    if (at + END_BYTES + tail.readUInt16LE(at + 20) === tail.byteLength) return 0;
    return tail.readUInt16LE(at + 10) > 0 ? 1 : 2;
  };
  return found.sort((one, other) => rank(one) - rank(other));
}

async function readEnd(
  bytes: ByteWindows,
  record: Buffer,
  { at, maxEntries }: { readonly at: number; readonly maxEntries: number },
): Promise<DirectoryPlace> {
  const wide = await readWideEnd(bytes, at);
  if ((wide?.disk ?? record.readUInt16LE(4)) !== 0) {
    throw new ZipFault('The archive is one part of several; archives in parts are not supported.');
  }
  const entryCount = wide?.entryCount ?? record.readUInt16LE(10);
  if (entryCount > maxEntries) throw tooMany(maxEntries);
  const size = wide?.size ?? record.readUInt32LE(12);
  const declared = wide?.offset ?? record.readUInt32LE(16);
  const end = wide?.at ?? at;
  const offset = await locate(bytes, { entryCount, size, declared, end });
  return { offset, end, entryCount, isCountCut: wide === undefined, shift: offset - declared };
}

/**
 * The directory's offset: the declared one, or the one right before the record that follows the directory.
 */
async function locate(
  bytes: ByteWindows,
  { entryCount, size, declared, end }: { entryCount: number; size: number; declared: number; end: number },
): Promise<number> {
  if (entryCount === 0 && size === 0) return end;
  const places = end - size > declared ? [end - size, declared] : [declared];
  for (const place of places) {
    if (await hasSignature(bytes, place, end, CENTRAL_HEADER)) return place;
  }
  if (declared > end) {
    throw new ZipFault('The archive is damaged or incomplete: it refers to bytes after its end.');
  }
  throw new ZipFault('The archive is damaged: its directory is not where it declares.');
}

async function hasSignature(bytes: ByteWindows, at: number, end: number, signature: number) {
  return at >= 0 && at + 4 <= end && (await bytes.get(at, 4)).readUInt32LE(0) === signature;
}

interface WideEnd {
  readonly at: number;
  readonly disk: number;
  readonly entryCount: number;
  readonly size: number;
  readonly offset: number;
}

/** The ZIP64 record (section 4.3.14); its locator is right before the end record. */
async function readWideEnd(bytes: ByteWindows, end: number): Promise<WideEnd | undefined> {
  const locatorAt = end - LOCATOR_BYTES;
  if (!(await hasSignature(bytes, locatorAt, end, LOCATOR))) return undefined;
  const declared = Number((await bytes.get(locatorAt, LOCATOR_BYTES)).readBigUInt64LE(8));
  for (const at of [declared, locatorAt - WIDE_END_BYTES]) {
    if (!(await hasSignature(bytes, at, locatorAt - WIDE_END_BYTES + 4, WIDE_END))) continue;
    const record = await bytes.get(at, WIDE_END_BYTES);
    return {
      at,
      disk: record.readUInt32LE(16),
      entryCount: Number(record.readBigUInt64LE(32)),
      size: Number(record.readBigUInt64LE(40)),
      offset: Number(record.readBigUInt64LE(48)),
    };
  }
  throw new ZipFault('The archive is damaged: its ZIP64 end record is missing.');
}

/**
 * Checks that the directory ends after the declared number of headers. Another header would be an uncounted
 * entry.
 * @param at the offset after the last header
 * @throws ZipFault
 */
export async function checkEnd(bytes: ByteWindows, at: number): Promise<void> {
  const signature = at + 4 <= bytes.size ? (await bytes.get(at, 4)).readUInt32LE(0) : 0;
  if (![END, WIDE_END, DIRECTORY_SIGNATURE].includes(signature)) {
    throw new ZipFault('The archive is damaged: its directory does not end where it declares.');
  }
}

export function tooMany(maxEntries: number): ZipFault {
  return new ZipFault(`The archive has more than ${maxEntries.toLocaleString('en')} entries.`, {
    kind: 'excessive',
  });
}
