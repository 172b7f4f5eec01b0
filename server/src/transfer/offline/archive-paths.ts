import type { FileName } from '../../base/text/names/file-name.ts';
import { segmentsOf, toLogicalPath } from '../../base/text/names/logical-path.ts';
import { parseNumberedName, withNumber } from '../../base/text/names/numbered-name.ts';

interface Named {
  readonly name: FileName;
  readonly relativePath: string | null;
}

/**
 * The paths of announced files in one archive. No two are equal on any file system, and none leads out of the
 * directory into which the archive is unpacked: relative paths were normalised when they were announced.
 */
export function toArchivePaths(files: readonly Named[]): readonly string[] {
  const taken = new Set<string>();
  const lastNumbers = new Map<string, number>();
  /** The paths of directories by those that they would have if nothing were in the way. */
  const directories = new Map<string, string>();
  const take = (parent: string, name: FileName): string => {
    const wanted = `${parent}${name}`;
    const parsed = parseNumberedName(name);
    let path = wanted;
    for (let number = lastNumbers.get(wanted) ?? parsed.number; taken.has(placeOf(path)); ) {
      number += 1;
      path = `${parent}${withNumber(parsed, number)}`;
      lastNumbers.set(wanted, number);
    }
    taken.add(placeOf(path));
    return path;
  };
  return files.map((file) => {
    let directory = '';
    for (const segment of directoriesOf(file)) {
      const wanted = placeOf(`${directory}${segment}`);
      const path = directories.get(wanted) ?? take(directory, segment);
      directories.set(wanted, path);
      directory = `${path}/`;
    }
    return take(directory, file.name);
  });
}

/** Some senders give only the directories, others also the name. */
function directoriesOf({ name, relativePath }: Named): readonly FileName[] {
  const segments = segmentsOf(toLogicalPath(relativePath ?? ''));
  return segments.at(-1) === name ? segments.slice(0, -1) : segments;
}

/** Equal for paths that a file system without regard to case takes for the same. */
function placeOf(path: string): string {
  return path.toLowerCase();
}
