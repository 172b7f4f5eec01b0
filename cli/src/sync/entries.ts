// What the sync knows of an entry: on disk, in the drive, and when both were last equal.

/** An entry on disk. */
export interface LocalEntry {
  /** Below the root, as the disk spells it. The keys of the maps are in NFC, as the drive has them. */
  readonly localPath: string;
  readonly isDirectory: boolean;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
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
export interface BaseEntry {
  readonly isDirectory: boolean;
  readonly size: number;
  /** Of the drive. */
  readonly id: number;
  readonly modifiedAt: string;
  readonly updatedAt: string;
  /** Of the disk. -1 if the file must be compared by its checksum. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** Null if it is not known here; the drive then has it. */
  readonly sha256: string | null;
}

/** Whether a file on disk certainly is what it was, without reading it. */
export function isSameOnDisk(
  a: Pick<LocalEntry, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>,
  b: Pick<LocalEntry, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>,
): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino;
}

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
  const { isDirectory, mtimeMs, ctimeMs, ino } = local;
  const { id, modifiedAt, updatedAt, size } = remote;
  return { isDirectory, size, id, modifiedAt, updatedAt, mtimeMs, ctimeMs, ino, sha256 };
}
