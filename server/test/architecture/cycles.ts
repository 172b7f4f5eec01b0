/** Who imports whom. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Rings of files that import each other, one for every edge that closes one: `['a', 'b', 'a']`. */
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
