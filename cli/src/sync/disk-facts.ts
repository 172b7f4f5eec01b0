import { type BigIntStats, lstatSync } from 'node:fs';

/** Tells a file or directory from all others of this computer. Each disk has its own numbers of inodes. */
export interface DiskIdentity {
  readonly device: string;
  readonly inode: string;
}

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

/** What is at a path, without following a symbolic link; undefined if nothing is. @throws Error of the file system */
export function findDiskFacts(file: string): DiskFacts | undefined {
  try {
    const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return found && toDiskFacts(found);
  } catch (error) {
    // A file is where its directory was.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

export function toDiskFacts(found: BigIntStats): DiskFacts {
  return {
    // As text: numbers of inodes have up to 64 bits, more than a number or an integer of SQLite can have.
    device: String(found.dev),
    inode: String(found.ino),
    isFile: found.isFile(),
    isDirectory: found.isDirectory(),
    size: Number(found.size),
    mtimeMs: toMilliseconds(found.mtimeNs),
    ctimeMs: toMilliseconds(found.ctimeNs),
    mode: Number(found.mode & 0o777n),
  };
}

/** Whether a path has a directory that is on this device. False if that cannot be read. */
export function isDirectoryOn(file: string, device: string): boolean {
  try {
    const found = findDiskFacts(file);
    return found?.isDirectory === true && found.device === device;
  } catch {
    return false;
  }
}

export function isSameIdentity(a: DiskIdentity, b: DiskIdentity): boolean {
  return a.inode === b.inode && a.device === b.device;
}

/** With fractions, rounded as in `Stats` of Node.js, so that older states have the same numbers. */
function toMilliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000_000n) * 1e3 + Number(nanoseconds % 1_000_000_000n) / 1e6;
}
