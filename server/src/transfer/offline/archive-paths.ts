import type { FileName } from '../../base/text/names/file-name.ts';
import { segmentsOf, toLogicalPath } from '../../base/text/names/logical-path.ts';
import { parseNumberedName, withNumber } from '../../base/text/names/numbered-name.ts';

interface Named {
  readonly name: FileName;
  readonly relativePath: string | null;
}

/**
 * The paths of announced files in one archive. No two are equal on any file system. None leads out of the
 * directory into which the archive is unpacked, because relative paths were normalised when announced.
 */
export function toArchivePaths(files: readonly Named[]): readonly string[] {
  const taken = new Set<string>();
  const lastNumbers = new Map<string, number>();
  /**
   * Maps the original path of each directory to the path that it got. They differ if the original was taken.
   */
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

/** Some senders send only the directories as the relative path, others add the file name. */
function directoriesOf({ name, relativePath }: Named): readonly FileName[] {
  const segments = segmentsOf(toLogicalPath(relativePath ?? ''));
  return segments.at(-1) === name ? segments.slice(0, -1) : segments;
}

/** A key that is equal for paths that a case-insensitive file system treats as the same. */
function placeOf(path: string): string {
  return path.toLowerCase();
}
