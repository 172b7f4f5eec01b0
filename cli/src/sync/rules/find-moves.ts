// Recognizes renamed or moved entries, so that their bytes are not sent again.
import { toIdentityKey } from './disk-identity.ts';
import type { BaseEntry, LocalEntry } from './entries.ts';
import { depthOf, nameOf, type PathMap, parentOf } from './path-map.ts';

export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds the moves on disk: a path of the base is missing, and a new path is the same file or directory.
 * @param missing paths of the base that are missing on disk
 * @param created paths on disk that are missing in the base
 */
export function findLocalMoves(
  base: PathMap<BaseEntry>,
  local: PathMap<LocalEntry>,
  { missing, created }: { readonly missing: readonly string[]; readonly created: readonly string[] },
): readonly Move[] {
  const byIdentity = new Map<string, string>();
  for (const path of missing) {
    const before = base.get(path);
    if (before !== undefined) byIdentity.set(toIdentityKey(before), path);
  }
  const children = new Map<string, string[]>();
  for (const path of missing) {
    const siblings = children.get(parentOf(path)) ?? [];
    siblings.push(nameOf(path));
    children.set(parentOf(path), siblings);
  }
  const moves: Move[] = [];
  for (const to of created.toSorted((a, b) => depthOf(a) - depthOf(b))) {
    const found = local.get(to);
    const from = found && byIdentity.get(toIdentityKey(found));
    const before = from === undefined ? undefined : base.get(from);
    if (found === undefined || from === undefined || before?.isDirectory !== found.isDirectory) continue;
    // The inode number of a deleted directory is soon reused for a new one, which has other content.
    const names = children.get(from) ?? [];
    const isSame = found.isDirectory
      ? names.length === 0 || names.some((name) => local.has(`${to}/${name}`))
      : before.size === found.size && before.mtimeMs === found.mtimeMs;
    if (isSame) moves.push({ from, to });
  }
  return moves;
}

/** Returns the outermost moves: entries below a moved directory move with it. */
export function withoutNested(moves: readonly Move[]): readonly Move[] {
  const byTarget = new Map(moves.map((move) => [move.to, move]));
  return moves.filter(({ from, to }) => {
    for (let at = to; at !== ''; at = parentOf(at)) {
      const above = byTarget.get(parentOf(at));
      if (above !== undefined && from === above.from + to.slice(above.to.length)) return false;
    }
    return true;
  });
}
