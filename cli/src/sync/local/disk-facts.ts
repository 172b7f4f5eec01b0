import { type BigIntStats, lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { DiskIdentity } from '../rules/disk-identity.ts';

/** What is at a path on disk. */
export interface DiskFacts extends DiskIdentity {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** The permissions. */
  readonly mode: number;
}

/**
 * Looks up what is at a path, without following a symbolic link; undefined if there is nothing.
 * @throws Error of the file system
 */
export function findDiskFacts(file: string | Buffer): DiskFacts | undefined {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined || hasExactNumbers(found)) return found && toDiskFacts(found);
    const exact = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return exact && toDiskFacts(exact);
  } catch (error) {
    // A file has replaced one of its parent directories.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Whether inode and device fit into a `number`. On most disks they do, because inodes count up from 1, and
 * reading a `number` takes half as long as reading a `bigint`.
 */
function hasExactNumbers({ dev, ino }: Stats): boolean {
  return Number.isSafeInteger(dev) && Number.isSafeInteger(ino);
}

/** @param found `Stats` only if its numbers are exact */
export function toDiskFacts(found: BigIntStats | Stats): DiskFacts {
  return {
    // Stored as text, because inodes are unsigned 64-bit integers: too large for a number or an SQLite
    // integer.
    device: String(found.dev),
    inode: String(found.ino),
    isFile: found.isFile(),
    isDirectory: found.isDirectory(),
    size: Number(found.size),
    mtimeMs: 'mtimeNs' in found ? toMilliseconds(found.mtimeNs) : found.mtimeMs,
    ctimeMs: 'ctimeNs' in found ? toMilliseconds(found.ctimeNs) : found.ctimeMs,
    mode: Number(found.mode) & 0o777,
  };
}

/** Whether a directory on this device is at the path. False if the path cannot be read. */
export function isDirectoryOn(file: string, device: string): boolean {
  try {
    const found = findDiskFacts(file);
    return found?.isDirectory === true && found.device === device;
  } catch {
    return false;
  }
}

/**
 * Keeps fractions and rounds like Node's `Stats`, so the result equals what older states stored.
 */
function toMilliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000_000n) * 1e3 + Number(nanoseconds % 1_000_000_000n) / 1e6;
}

/** Where the disk of a directory is mounted. */
export function findMountPath(directory: string): string {
  const device = findDiskFacts(directory)?.device;
  for (let at = directory; ; ) {
    const above = path.dirname(at);
    if (above === at || findDiskFacts(above)?.device !== device) return at;
    at = above;
  }
}
