import { quoteName, ZipFault } from './fault.ts';
import type { ListedEntry } from './listing.ts';

/** Section 4.3.7: what every local header has, before its name. */
const LOCAL_HEADER_BYTES = 30;

/**
 * Entries that share bytes make a small archive tell of endless content: each has to end before the next
 * begins, and the last before the central directory.
 *
 * @throws ZipFault
 */
export function checkLayout(entries: readonly ListedEntry[], directoryOffset: number): void {
  const inOrder = entries.toSorted((one, other) => one.offset - other.offset);
  for (const [index, entry] of inOrder.entries()) {
    const leastEnd = entry.offset + LOCAL_HEADER_BYTES + entry.rawName.byteLength + entry.packedSize;
    const next = inOrder[index + 1];
    if (next !== undefined && leastEnd > next.offset) {
      throw new ZipFault(`The entries ${quoteName(entry.name)} and ${quoteName(next.name)} overlap.`);
    }
    // Also where a number of 64 bits is more than can be counted with.
    if (!(leastEnd <= directoryOffset)) {
      throw new ZipFault(`The entry ${quoteName(entry.name)} reaches into the directory of the archive.`);
    }
  }
}

/** What becomes no larger than this is no bomb, however small it was: any megabyte of zeros is a kilobyte. */
const HARMLESS_BYTES = 1_024 * 1_024;

/**
 * @throws ZipFault when an entry, or all of them, would become more than `maxRatio` times what is there of it
 */
export function checkRatio(entries: readonly ListedEntry[], archiveBytes: number, maxRatio: number): void {
  let size = 0;
  for (const entry of entries) {
    if (entry.size > Math.max(HARMLESS_BYTES, entry.packedSize * maxRatio)) {
      throw new ZipFault(
        `The entry ${quoteName(entry.name)} would become more than ${maxRatio.toLocaleString('en')} times as large as it is packed.`,
      );
    }
    size += entry.size;
  }
  if (size > Math.max(HARMLESS_BYTES, archiveBytes * maxRatio)) {
    throw new ZipFault(
      `The archive would become more than ${maxRatio.toLocaleString('en')} times as large as it is.`,
    );
  }
}
