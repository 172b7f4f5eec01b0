// The three states of an entry: on disk, in the drive, and when both were last equal.
import { type DiskIdentity, isSameIdentity } from './disk-identity.ts';

/** An entry on disk. */
export interface LocalEntry extends DiskIdentity {
  /** Below the root, as the disk spells it. The keys of the maps are in NFC, as the drive has them. */
  readonly localPath: string;
  readonly isDirectory: boolean;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Whether it is a directory on another disk than the one above it. */
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
  /** Null if it is not known, since an older version of this program has written it. */
  readonly isMountPoint: boolean | null;
  /** Null if it is not known here; the drive then has it. */
  readonly sha256: string | null;
}

/** Whether a file on disk is certainly unchanged, as far as can be seen without reading it. */
export function isSameOnDisk(a: FileState, b: FileState): boolean {
  return hasSameTimes(a, b) && isSameIdentity(a, b);
}

/** Like {@link isSameOnDisk}, but the file may have been renamed, which changes the time of its inode. */
export function isSameButRenamed(a: Omit<FileState, 'ctimeMs'>, b: Omit<FileState, 'ctimeMs'>): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && isSameIdentity(a, b);
}

/** Size and times only. */
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

/** Whether the record of the drive is the one that was last seen. */
export function isSameRecord(
  a: Pick<RemoteEntry, 'id' | 'updatedAt' | 'size' | 'modifiedAt'>,
  b: Pick<RemoteEntry, 'id' | 'updatedAt' | 'size' | 'modifiedAt'>,
): boolean {
  return a.id === b.id && a.updatedAt === b.updatedAt && a.size === b.size && a.modifiedAt === b.modifiedAt;
}

/** The time of a file on disk, to the millisecond that the drive keeps. */
export function toModifiedAt({ mtimeMs }: Pick<LocalEntry, 'mtimeMs'>): Date {
  return new Date(Math.round(mtimeMs));
}

/** Both sides are equal now. */
export function toBase(local: LocalEntry, remote: RemoteEntry, sha256: string | null): BaseEntry {
  const { isDirectory, mtimeMs, ctimeMs, device, inode, isMountPoint } = local;
  const { id, modifiedAt, updatedAt, size } = remote;
  const onDisk = { isDirectory, mtimeMs, ctimeMs, device, inode, isMountPoint };
  return { ...onDisk, size, id, modifiedAt, updatedAt, sha256 };
}
