import { quoteName, ZipFault } from './fault.ts';
import type { ListedEntry } from './listing.ts';

/** The fixed part of a local header, before the name (section 4.3.7). */
const LOCAL_HEADER_BYTES = 30;

/**
 * Checks that entries do not overlap each other or the central directory. With overlapping entries a small
 * archive could unpack to an enormous amount of bytes (a zip bomb).
 *
 * @param entries in the order of their offsets
 * @throws ZipFault
 */
export function checkLayout(entries: readonly ListedEntry[], directoryOffset: number): void {
  for (const [index, entry] of entries.entries()) {
    const minEnd = entry.offset + LOCAL_HEADER_BYTES + entry.rawName.byteLength + entry.packedSize;
    const next = entries[index + 1];
    if (next !== undefined && minEnd > next.offset) {
      throw new ZipFault(`The entries ${quoteName(entry.name)} and ${quoteName(next.name)} overlap.`);
    }
    // Negated, so that NaN and values beyond the safe integers are rejected as well.
    if (!(minEnd <= directoryOffset)) {
      throw new ZipFault(`The entry ${quoteName(entry.name)} reaches into the directory of the archive.`);
    }
  }
}

/**
 * Entries and archives up to this unpacked size are accepted with any ratio: a megabyte of zeros deflates to
 * a kilobyte.
 */
const HARMLESS_BYTES = 1_024 * 1_024;

/**
 * @throws ZipFault when an entry, or the archive, would unpack to more than `maxRatio` times its packed size
 */
export function checkRatio(entries: readonly ListedEntry[], archiveBytes: number, maxRatio: number): void {
  let size = 0;
  for (const entry of entries) {
    if (entry.size > Math.max(HARMLESS_BYTES, entry.packedSize * maxRatio)) {
      throw new ZipFault(
        `The entry ${quoteName(entry.name)} would unpack to more than ${maxRatio.toLocaleString('en')} times its packed size.`,
      );
    }
    size += entry.size;
  }
  if (size > Math.max(HARMLESS_BYTES, archiveBytes * maxRatio)) {
    throw new ZipFault(
      `The archive would unpack to more than ${maxRatio.toLocaleString('en')} times its size.`,
    );
  }
}
