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

interface Tree {
  readonly open: ReadonlySet<string>;
  /** Whether the user has closed the whole tree. Then it no longer opens by itself. */
  readonly isClosed: boolean;
}

/**
 * The open folders of the tree, which survive a reload. The tree opens by itself along the shown directory.
 * @param drive the drive of the tree
 * @param current the shown directory
 */
export function useOpenFolders(drive: DriveId, current: string | undefined): OpenFolders {
  const [tree, setTree] = useState(() => follow(readTree(drive), current));
  const [followed, setFollowed] = useState(current);
  if (followed !== current) {
    setFollowed(current);
    setTree((before) => follow(before, current));
  }
  return {
    isOpen: (path) => tree.open.has(path),
    toggle: (path) => {
      const open = new Set(tree.open);
      if (!open.delete(path)) open.add(path);
      const next = path === ROOT ? follow(toTree(open), current) : { ...tree, open };
      setTree(next);
      writeStored(keyOf(drive), JSON.stringify([...next.open].slice(-MAX_OPEN_FOLDERS)));
    },
  };
}

function follow(tree: Tree, current: string | undefined): Tree {
  if (tree.isClosed || current === undefined) return tree;
  return { ...tree, open: openedTo(tree.open, current) };
}

/** Opens the parents of a directory. */
export function openedTo(open: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const above = chainOf(path).slice(0, -1);
  return above.every((each) => open.has(each)) ? open : new Set([...open, ...above]);
}

/** A tree that the user has opened or closed. */
function toTree(open: ReadonlySet<string>): Tree {
  return { open, isClosed: !open.has(ROOT) };
}

function readTree(drive: DriveId): Tree {
  try {
    const stored: unknown = JSON.parse(readStored(keyOf(drive)) ?? 'null');
    if (Array.isArray(stored)) return toTree(new Set(stored.filter((path) => typeof path === 'string')));
  } catch {
    // As if nothing was stored.
  }
  return { open: new Set(), isClosed: false };
}
