// The extra fields of a header (section 4.5). Like other readers, ignores a field that is longer than the
// rest, and everything after it.

import { crc32 } from 'node:zlib';

const UNICODE_PATH = 0x7075;
export const WIDE_VALUES = 0x0001;
export const NTFS = 0x000a;
export const EXTENDED_TIMESTAMP = 0x5455;
export const OLD_UNIX = 0x5855;

/** The first field with the id. */
export function findField(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.byteLength; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (end > extra.byteLength) return undefined;
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, end);
    at = end;
  }
  return undefined;
}

/** The name in the Unicode path field (section 4.6.9), if the field belongs to this name. */
export function findUnicodePath(extra: Buffer, rawName: Buffer): string | undefined {
  const field = findField(extra, UNICODE_PATH);
  if (field === undefined || field.byteLength < 5 || field.readUInt8(0) !== 1) return undefined;
  return field.readUInt32LE(1) === crc32(rawName) ? field.toString('utf8', 5) : undefined;
}
