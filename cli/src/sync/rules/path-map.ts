/** Entries of a tree by their path: relative to the root of the tree, with `/`. */
export class PathMap<T> extends Map<string, T> {
  /** The paths below a directory. */
  listBelow(directory: string): readonly string[] {
    const prefix = `${directory}/`;
    return [...this.keys()].filter((path) => path.startsWith(prefix));
  }

  /** Deletes an entry and everything below it. Returns their paths. */
  deleteTree(path: string): readonly string[] {
    const deleted = [...(this.has(path) ? [path] : []), ...this.listBelow(path)];
    for (const each of deleted) this.delete(each);
    return deleted;
  }

  /** Moves an entry with everything below it. Returns the pairs of old and new paths. */
  moveTree(from: string, to: string): readonly (readonly [string, string])[] {
    const entries = [from, ...this.listBelow(from)].flatMap((path) => {
      const entry = this.get(path);
      return entry === undefined ? [] : [{ path, moved: to + path.slice(from.length), entry }];
    });
    for (const { path } of entries) this.delete(path);
    for (const { moved, entry } of entries) this.set(moved, entry);
    return entries.map(({ path, moved }) => [path, moved] as const);
  }
}

export function joinPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

/** The path of the parent directory; empty for an entry at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether a path is the directory itself or below it. */
export function isWithin(path: string, directory: string): boolean {
  return directory === '' || path === directory || path.startsWith(`${directory}/`);
}

/** How deep a path is: 0 for an entry at the top. */
export function depthOf(path: string): number {
  let depth = 0;
  for (const character of path) if (character === '/') depth += 1;
  return depth;
}
