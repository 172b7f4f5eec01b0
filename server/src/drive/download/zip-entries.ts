import type { Instant } from '../../base/clock.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { StoredEntry } from '../../formats/zip/writing/stored-archive.ts';
import type { ZipEntry } from '../../formats/zip/writing/writer.ts';
import type { ObjectLocation } from '../../policies/policies.ts';

/** A file or directory to be written into an archive. */
export interface ArchivedEntry {
  readonly isDirectory: boolean;
  readonly modifiedAt: Instant;
  readonly size: number;
  /** Null for a directory. */
  readonly location: ObjectLocation | null;
  readonly crc32: number | null;
}

/** @param path the path in the archive, without the trailing `/` of a directory */
export function toZipEntry(blobs: Blobs, path: string, entry: ArchivedEntry): ZipEntry {
  const { isDirectory, modifiedAt, size, location, crc32 } = entry;
  if (isDirectory || location === null) {
    return { path: `${path}/`, size: 0, crc32: 0, modifiedAt, open: noBytes };
  }
  const stored = toStoredEntry(blobs, location);
  const whole = { start: 0, end: size - 1 };
  return {
    path,
    size,
    crc32,
    modifiedAt,
    open: () => (size === 0 ? noBytes() : stored.open(whole)),
    read: () => (size === 0 ? Promise.resolve(Buffer.alloc(0)) : stored.read(whole)),
  };
}

/** @param location null for a directory, which has no content */
export function toStoredEntry(blobs: Blobs, location: ObjectLocation | null): StoredEntry {
  if (location === null) return { open: noBytes, read: async () => Buffer.alloc(0) };
  return {
    open: (range) => blobs.open(location, range),
    read: (range) => blobs.read(location, range),
  };
}

async function noBytes(): Promise<AsyncIterable<Uint8Array>> {
  return (async function* () {})();
}
