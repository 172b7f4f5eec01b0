// Disks that are mounted at or below the synced directory. If a disk is missing, its files were not deleted.
import path from 'node:path';
import { isSameIdentity } from './disk-identity.ts';
import type { BaseEntry, LocalEntry, RemoteEntry } from './entries.ts';
import { isWithin, type PathMap } from './path-map.ts';

const ACCEPT =
  'Nothing there is synced. If this is as it should be, add --accept-mounts: ' +
  'then nothing that is missing counts as deleted.';

/** The disk of the synced directory is another one than at the last sync. */
class ChangedDisk extends Error {
  override readonly name = 'ChangedDisk';
}

/** The mounts at the last sync. */
export interface KnownMounts {
  readonly base: PathMap<BaseEntry>;
  readonly remote: { readonly entries: PathMap<RemoteEntry> };
  /** The directories of the base that were on another disk than their parent. */
  readonly mountPoints: ReadonlySet<string>;
}

/**
 * Finds the paths where a disk is missing that was mounted at the last sync, or where a new disk is mounted.
 * Only paths with synced entries that the drive still has are reported.
 * @param candidates where disks are or were mounted
 * @returns the path of each, with a sentence for the user
 */
export function findChangedMounts(
  known: KnownMounts,
  local: PathMap<LocalEntry>,
  candidates: Iterable<string>,
): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  for (const mountPoint of candidates) {
    const before = known.base.get(mountPoint);
    const isMounted = local.get(mountPoint)?.isMountPoint === true;
    if (before === undefined || before.isMountPoint === null || before.isMountPoint === isMounted) continue;
    if (!isAtStake(known, mountPoint) || (!isMounted && isElsewhere(before, local))) continue;
    const what = isMounted
      ? 'Another disk is mounted here than at the last sync.'
      : 'Its disk is not mounted.';
    changed.set(mountPoint, `${what} ${ACCEPT}`);
  }
  return changed;
}

/** Whether the directory was moved together with its disk, so that it is now at another path. */
function isElsewhere(before: BaseEntry, local: PathMap<LocalEntry>): boolean {
  return local.values().some((found) => found.isMountPoint && isSameIdentity(found, before));
}

function isAtStake({ base, remote }: KnownMounts, mountPoint: string): boolean {
  const isSynced = (at: string) => at !== mountPoint && isWithin(at, mountPoint) && remote.entries.has(at);
  return base.keys().some(isSynced);
}

/**
 * Call it with the path where the disk of the synced directory is mounted now.
 * @throws ChangedDisk if it was mounted elsewhere at the last sync, so that it probably is another one
 */
export function checkMountPath(
  known: KnownMounts & { readonly mountPath: string | undefined },
  now: string,
): void {
  const before = known.mountPath;
  if (before === undefined || before === now || known.base.size === 0) return;
  const what = isBelow(now, before) ? `Another disk is mounted at ${now}` : `No disk is mounted at ${before}`;
  throw new ChangedDisk(`${what}, other than at the last sync. ${ACCEPT}`);
}

function isBelow(file: string, directory: string): boolean {
  return file.startsWith(directory.endsWith(path.sep) ? directory : directory + path.sep);
}
