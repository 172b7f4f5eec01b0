// A disk may get another device number each time it is mounted, and older states have no number. Without this
// step, all files on the disk would be read again to compare their checksums.
import { type BaseEntry, hasFineTimes, hasSameTimes, type LocalEntry } from '../rules/entries.ts';
import type { SyncParts } from './round.ts';

/** Updates the device numbers of the bases. Call it after the whole disk has been read. */
export function adoptDevices({ state, local }: Pick<SyncParts, 'state' | 'local'>): void {
  const renumbered = new Map<string, string>();
  state.transact(() => {
    for (const [path, base] of state.base) {
      const found = local.entries.get(path);
      if (found === undefined || found.device === base.device || !isSameElsewhere(base, found)) continue;
      renumbered.set(base.device, found.device);
      state.setBase(path, { ...base, device: found.device });
    }
    if (renumbered.size === 0) return;
    // With the new number, entries that have moved since then are still recognized as moved.
    for (const [path, base] of state.base) {
      const device = renumbered.get(base.device);
      if (device !== undefined && !local.entries.has(path)) state.setBase(path, { ...base, device });
    }
  });
}

/** Whether only the device number differs. */
function isSameElsewhere(base: BaseEntry, found: LocalEntry): boolean {
  if (base.inode !== found.inode || base.isDirectory !== found.isDirectory) return false;
  return found.isDirectory || (hasSameTimes(base, found) && hasFineTimes(found));
}
