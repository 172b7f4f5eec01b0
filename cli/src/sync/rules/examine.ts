// Finds out what changed at a path since both sides were last equal. Files are read only if sizes and times
// leave it open.
import type { Kind, Situation } from './decide.ts';
import { isSameIdentity } from './disk-identity.ts';
import {
  type BaseEntry,
  isSameOnDisk,
  isSameRecord,
  type LocalEntry,
  type RemoteEntry,
  toModifiedAt,
} from './entries.ts';

export interface Entries {
  readonly base: BaseEntry | undefined;
  readonly local: LocalEntry | undefined;
  readonly remote: RemoteEntry | undefined;
}

/** The checksums of both sides, computed on demand. Null if unknown. */
interface Checksums {
  ofLocal(): Promise<string>;
  ofRemote(): Promise<string | null>;
  /**
   * Whether files with the same size and time count as equal, so that a first sync of equal trees reads no
   * file.
   */
  readonly isFirstSync: boolean;
}

/** Whether there is nothing to do, as for nearly all paths. */
export function isSettled({ base, local, remote }: Entries): boolean {
  if (base === undefined || local === undefined || remote === undefined) {
    return base === undefined && local === undefined && remote === undefined;
  }
  if (base.isDirectory !== local.isDirectory || base.isDirectory !== remote.isDirectory) return false;
  if (base.isDirectory) {
    return base.id === remote.id && isSameIdentity(base, local) && base.isMountPoint === local.isMountPoint;
  }
  return isSeen(base, remote) && isSameOnDisk(base, local);
}

export async function examine(entries: Entries, checksums: Checksums): Promise<Situation> {
  const { base, local, remote } = entries;
  const isLocalChanged = await hasLocalChanged(entries, checksums);
  const isRemoteChanged = await hasRemoteChanged(entries, checksums);
  const kinds = { base: kindOf(base), local: kindOf(local), remote: kindOf(remote) };
  const areFiles = kinds.local === 'file' && kinds.remote === 'file';
  const isUnchanged = kinds.base === 'file' && !isLocalChanged && !isRemoteChanged;
  const isEqual = areFiles && (isUnchanged || (await areEqual(entries, checksums)));
  return { ...kinds, isLocalChanged, isRemoteChanged, isEqual };
}

async function hasLocalChanged({ base, local, remote }: Entries, checksums: Checksums): Promise<boolean> {
  if (kindOf(base) !== 'file' || kindOf(local) !== 'file' || base === undefined || local === undefined)
    return false;
  if (isSameOnDisk(base, local)) return false;
  if (base.size !== local.size) return true;
  const isUnchanged = remote !== undefined && isSameRecord(base, remote);
  const before = base.sha256 ?? (isUnchanged ? await checksums.ofRemote() : null);
  return before === null || before !== (await checksums.ofLocal());
}

async function hasRemoteChanged({ base, local, remote }: Entries, checksums: Checksums): Promise<boolean> {
  if (kindOf(base) !== 'file' || kindOf(remote) !== 'file' || base === undefined || remote === undefined)
    return false;
  if (isSeen(base, remote)) return false;
  if (base.size !== remote.size) return true;
  const now = await checksums.ofRemote();
  // Size and time are not enough: a program may write different content and preserve both.
  if (now === null) return true;
  if (base.sha256 !== null) return now !== base.sha256;
  // If the file on disk is unchanged, it still has the content that both sides had.
  const isOnDisk = kindOf(local) === 'file' && local !== undefined && isSameOnDisk(base, local);
  return !isOnDisk || now !== (await checksums.ofLocal());
}

/** Whether the entry of the drive is unchanged, as far as its record shows. */
function isSeen(base: BaseEntry, remote: RemoteEntry): boolean {
  const isKnown = base.sha256 !== null && remote.sha256 !== null;
  return isSameRecord(base, remote) && (!isKnown || base.sha256 === remote.sha256);
}

async function areEqual({ base, local, remote }: Entries, checksums: Checksums): Promise<boolean> {
  if (local === undefined || remote === undefined || local.size !== remote.size) return false;
  const hasSameTime = base === undefined && toModifiedAt(local).toISOString() === remote.modifiedAt;
  if (hasSameTime && checksums.isFirstSync) return true;
  const sha256 = await checksums.ofRemote();
  // The service computes the checksum of a large file only after the upload.
  return sha256 === null ? hasSameTime : sha256 === (await checksums.ofLocal());
}

function kindOf(entry: { readonly isDirectory: boolean } | undefined): Kind | undefined {
  if (entry === undefined) return undefined;
  return entry.isDirectory ? 'directory' : 'file';
}
