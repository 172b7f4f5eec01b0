import { type LogicalPath, ROOT_PATH } from '../../base/text/names/logical-path.ts';
import type { Ancestor } from './entry-queries.ts';

/**
 * The path of the parent directory of each entry, by entry id, without entries in the recycle bin. Each
 * directory gets its path once: a thousand neighbours share one text.
 *
 * @param ancestors the entries, and all directories above them
 */
export function toParentPaths(
  ids: readonly number[],
  ancestors: readonly Ancestor[],
): ReadonlyMap<number, LogicalPath> {
  const byId = new Map(ancestors.map((ancestor) => [ancestor.id, ancestor]));
  const directoryPaths = new Map<number, string>();
  const paths = new Map<number, LogicalPath>();
  for (const id of ids) {
    const entry = byId.get(id);
    if (entry === undefined || entry.isInBin || entry.parentId === null) continue;
    const path = toDirectoryPath(entry.parentId, byId, directoryPaths);
    // The paths consist of names that were checked when they were stored.
    paths.set(id, (path === '' ? ROOT_PATH : path) as LogicalPath);
  }
  return paths;
}

/** The path of a directory; empty for the root. Remembers it, and those of the directories above. */
function toDirectoryPath(
  id: number,
  byId: ReadonlyMap<number, Ancestor>,
  known: Map<number, string>,
): string {
  const pending: Ancestor[] = [];
  let above = byId.get(id);
  while (above !== undefined && above.parentId !== null && !known.has(above.id)) {
    pending.push(above);
    above = byId.get(above.parentId);
  }
  let path = above === undefined ? '' : (known.get(above.id) ?? '');
  for (const directory of pending.reverse()) {
    path = `${path}/${directory.name}`;
    known.set(directory.id, path);
  }
  return path;
}
