// The three states of an entry: on disk, in the drive, and when both were last equal.
import { type DiskIdentity, isSameIdentity } from './disk-identity.ts';

/** An entry on disk. */
export interface LocalEntry extends DiskIdentity {
  /** Relative to the root, spelled as on disk. The keys of the maps are in NFC, as in the drive. */
  readonly localPath: string;
  readonly isDirectory: boolean;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Whether it is a directory on another disk than its parent. */
  readonly isMountPoint: boolean;
}

/** An entry of the drive. */
export interface RemoteEntry {
  readonly id: number;
  readonly isDirectory: boolean;
  readonly size: number;
  readonly modifiedAt: string;
  readonly updatedAt: string;
  /** Null if it is not known here. */
  readonly sha256: string | null;
}

/** An entry as it was when both sides were last equal. */
export interface BaseEntry extends DiskIdentity {
  readonly isDirectory: boolean;
  readonly size: number;
  /** The id of the entry in the drive. */
  readonly id: number;
  readonly modifiedAt: string;
  readonly updatedAt: string;
  /** The modification time on disk; -1 if the file must be compared by its checksum. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Null if it is unknown, because an older version of this program has written the base. */
  readonly isMountPoint: boolean | null;
  /** Null if it is unknown here. The drive knows it then. */
  readonly sha256: string | null;
}

/** Whether a file on disk is unchanged, as far as can be seen without reading it. */
export function isSameOnDisk(a: FileState, b: FileState): boolean {
  return hasSameTimes(a, b) && isSameIdentity(a, b);
}

/** Like {@link isSameOnDisk}, but the file may have been renamed, which changes its ctime. */
export function isSameButRenamed(a: Omit<FileState, 'ctimeMs'>, b: Omit<FileState, 'ctimeMs'>): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && isSameIdentity(a, b);
}

/** Compares only size and times. */
export function hasSameTimes(a: Times, b: Times): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}

/**
 * False for a file whose times are whole seconds, as on some disks: it may change while its time stays the
 * same.
 */
export function hasFineTimes({ mtimeMs, ctimeMs }: Omit<Times, 'size'>): boolean {
  return ![mtimeMs, ctimeMs].every((time) => Number.isInteger(time / 1_000));
}

type Times = Pick<LocalEntry, 'size' | 'mtimeMs' | 'ctimeMs'>;
type FileState = Times & DiskIdentity;

/** Whether the record in the drive is the last one seen. */
export function isSameRecord(
  a: Pick<RemoteEntry, 'id' | 'updatedAt' | 'size' | 'modifiedAt'>,
  b: Pick<RemoteEntry, 'id' | 'updatedAt' | 'size' | 'modifiedAt'>,
): boolean {
  return a.id === b.id && a.updatedAt === b.updatedAt && a.size === b.size && a.modifiedAt === b.modifiedAt;
}

/** The modification time of a file on disk, rounded to milliseconds like in the drive. */
export function toModifiedAt({ mtimeMs }: Pick<LocalEntry, 'mtimeMs'>): Date {
  return new Date(Math.round(mtimeMs));
}

/** The base for two sides that are equal now. */
export function toBase(local: LocalEntry, remote: RemoteEntry, sha256: string | null): BaseEntry {
  const { isDirectory, mtimeMs, ctimeMs, device, inode, isMountPoint } = local;
  const { id, modifiedAt, updatedAt, size } = remote;
  const onDisk = { isDirectory, mtimeMs, ctimeMs, device, inode, isMountPoint };
  return { ...onDisk, size, id, modifiedAt, updatedAt, sha256 };
}
