import { useState } from 'react';
import type { DriveId } from '../../../api/in-drive.ts';
import { readStored, writeStored } from '../../../api/stored.ts';
import { chainOf, ROOT } from '../../../common/names/drive-paths.ts';

const KEY = 'holdall.open-folders';

/** Each shared drive has a tree of its own. */
function keyOf(drive: DriveId): string {
  return drive === undefined ? KEY : `${KEY}.${drive}`;
}

/** The maximum number of open folders that are remembered. */
const MAX_OPEN_FOLDERS = 200;

export interface OpenFolders {
  readonly isOpen: (path: string) => boolean;
  readonly toggle: (path: string) => void;
}

/**
 * The open folders of the tree, which survive a reload.
 * @param drive the drive of the tree
 * @param current the shown directory; while the tree is open, the parents of this directory are open as well
 */
export function useOpenFolders(drive: DriveId, current: string | undefined): OpenFolders {
  const [open, setOpen] = useState(() => openedToCurrent(readOpen(drive), current));
  const [followed, setFollowed] = useState(current);
  if (followed !== current) {
    setFollowed(current);
    setOpen((before) => openedToCurrent(before, current));
  }
  return {
    isOpen: (path) => open.has(path),
    toggle: (path) => {
      const toggled = new Set(open);
      if (!toggled.delete(path)) toggled.add(path);
      const next = path === ROOT ? openedToCurrent(toggled, current) : toggled;
      setOpen(next);
      writeStored(keyOf(drive), JSON.stringify([...next].slice(-MAX_OPEN_FOLDERS)));
    },
  };
}

function openedToCurrent(open: ReadonlySet<string>, current: string | undefined): ReadonlySet<string> {
  return current === undefined ? open : openedTo(open, current);
}

/** Opens the parents of a directory, unless the tree is closed. */
export function openedTo(open: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const above = chainOf(path).slice(0, -1);
  if (!open.has(ROOT) || above.every((each) => open.has(each))) return open;
  return new Set([...open, ...above]);
}

function readOpen(drive: DriveId): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(readStored(keyOf(drive)) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : []);
  } catch {
    return new Set();
  }
}
