/** The imports of each file, as paths with `/`. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

interface FolderCycle {
  /** Neighbours in one folder that import each other, in a closed ring: `['src/a', 'src/b', 'src/a']`. */
  readonly path: readonly string[];
  /** One import for each step of the path: `['src/a/one.ts → src/b/two.ts', …]`. */
  readonly imports: readonly string[];
}

/** Finds rings of files that import each other, one for every import that closes one: `['a', 'b', 'a']`. */
export function findCycles(graph: ImportGraph): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];

  const visit = (file: string): void => {
    if (done.has(file)) return;
    const start = path.indexOf(file);
    if (start >= 0) {
      cycles.push([...path.slice(start), file]);
      return;
    }
    path.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };

  for (const file of graph.keys()) visit(file);
  return cycles;
}

/**
 * Finds folders that import each other, at every level. A folder with everything below it counts as one node,
 * and so does each file next to it. A file may use the folders next to it, and these may use other files next
 * to them, but not the first file. Cycles of files only are left to {@link findCycles}.
 */
export function findFolderCycles(graph: ImportGraph): FolderCycle[] {
  const cycles: FolderCycle[] = [];
  for (const level of toLevels(graph).values()) {
    const neighbours = new Map(Array.from(level, ([from, targets]) => [from, [...targets.keys()]] as const));
    for (const path of findCycles(neighbours)) {
      if (path.every((name) => graph.has(name))) continue;
      const imports = path
        .slice(1)
        .map((to, index) => level.get(path[index] ?? '')?.get(to))
        .filter((example) => example !== undefined);
      cycles.push({ path, imports });
    }
  }
  return cycles;
}

/** Imports between neighbours, with an example of each. */
type Level = Map<string, Map<string, string>>;

/** Maps the path of each folder to the imports between the folders and files in it. */
function toLevels(graph: ImportGraph): ReadonlyMap<string, Level> {
  const levels = new Map<string, Level>();
  for (const [file, targets] of graph) {
    for (const target of targets) {
      const { parent, from, to } = toNeighbours(file, target);
      if (from === to) continue;
      const level = levels.get(parent) ?? new Map<string, Map<string, string>>();
      levels.set(parent, level);
      const examples = level.get(from) ?? new Map<string, string>();
      level.set(from, examples);
      if (!examples.has(to)) examples.set(to, `${file} → ${target}`);
    }
  }
  return levels;
}

/** Finds the deepest folder that holds both files, and which child of that folder is or contains each. */
function toNeighbours(file: string, target: string) {
  const [from, to] = [file.split('/'), target.split('/')];
  let depth = 0;
  while (depth < Math.min(from.length, to.length) - 1 && from[depth] === to[depth]) depth += 1;
  return {
    parent: from.slice(0, depth).join('/'),
    from: from.slice(0, depth + 1).join('/'),
    to: to.slice(0, depth + 1).join('/'),
  };
}
