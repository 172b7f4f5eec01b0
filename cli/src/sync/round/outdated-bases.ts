// A base says that a path was equal on both sides. Before a sync of everything, the bases that can no longer
// be trusted are deleted. Without its base, a path that only one side has is new there, and is not deleted.

import { findChangedMounts } from '../rules/changed-mounts.ts';
import type { IgnoreRules } from '../rules/ignore-rules.ts';
import { isWithin } from '../rules/path-map.ts';
import type { SyncParts } from './round.ts';

type Parts = Pick<SyncParts, 'state' | 'local' | 'direction'>;

/** Call it after the disk and the drive have been read. */
export function deleteOutdatedBases(parts: Parts, rules: IgnoreRules): void {
  const { state, direction } = parts;
  state.transact(() => {
    deleteBasesOfIgnored(parts, rules);
    if (direction.isTwoWay && state.wasTwoWay !== true) deleteBasesOfMissing(parts);
    state.setDirection(direction.isTwoWay);
  });
}

/**
 * The user confirms the disks that are mounted now. Files that are missing on one of them were not deleted.
 * Call it after the disk was read with all mounts accepted.
 * @param mountPath where the disk of the root is mounted
 */
export function acceptMounts({ state, local }: Pick<Parts, 'state' | 'local'>, mountPath: string): void {
  const { base, mountPoints } = state;
  const isRootChanged = state.mountPath !== undefined && state.mountPath !== mountPath;
  const candidates = [...mountPoints, ...local.mountPoints];
  const changed = isRootChanged ? [''] : [...findChangedMounts(state, local.entries, candidates).keys()];
  state.transact(() => {
    for (const [path, entry] of [...base]) {
      if (!changed.some((mountPoint) => isWithin(path, mountPoint))) continue;
      const found = local.entries.get(path);
      if (found === undefined) state.deleteBase(path);
      else state.setBase(path, { ...entry, isMountPoint: found.isMountPoint });
    }
  });
}

/** The sync does not see how ignored paths change, and the user may stop ignoring them. */
function deleteBasesOfIgnored({ state, local }: Parts, rules: IgnoreRules): void {
  for (const [path, base] of state.base) {
    // Entries that were read from disk are not ignored.
    if (local.entries.has(path)) continue;
    const { isDirectory } = state.remote.entries.get(path) ?? base;
    if (rules.ignoresAny(path, isDirectory)) state.deleteBase(path);
  }
}

/** A sync in one direction lets the sides differ, so an entry that one side lacks stays on the other. */
function deleteBasesOfMissing({ state, local }: Parts): void {
  for (const path of state.base.keys()) {
    const isMissing = !local.entries.has(path) || !state.remote.entries.has(path);
    if (isMissing && !local.isUnknown(path)) state.deleteBase(path);
  }
}
