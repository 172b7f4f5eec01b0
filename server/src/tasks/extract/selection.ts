import { Failure } from '../../base/failure.ts';
import { quoteName, ZipFault } from '../../formats/zip/reading/fault.ts';

/** The maximum number of characters of all paths in one selection. */
const MAX_CHARACTERS = 100_000;

/**
 * Entries that are taken out of an archive, each with everything below it. They lose the directories above
 * them.
 */
export class ArchiveSelection {
  /** The paths without a slash at the end, and whether they were found. */
  readonly #found: Map<string, boolean>;

  /** @param paths as the listing of the archive shows them */
  constructor(paths: readonly string[]) {
    const all = new Set(paths.map(toSelectedPath));
    // A directory brings everything below it.
    const tops = [...all].filter((path) => !ancestorsOf(path).some((ancestor) => all.has(ancestor)));
    this.#found = new Map(tops.map((path) => [path, false]));
  }

  /** The remaining path of an entry; undefined if it is not selected. */
  pick(segments: readonly string[]): readonly string[] | undefined {
    let path = '';
    for (const [index, segment] of segments.entries()) {
      path += `${index === 0 ? '' : '/'}${segment.toWellFormed()}`;
      if (!this.#found.has(path)) continue;
      this.#found.set(path, true);
      return segments.slice(index);
    }
    return undefined;
  }

  /** Called when all entries were picked. @throws ZipFault if the archive has no entry with one of the paths */
  checkFound(): void {
    for (const [path, isFound] of this.#found) {
      if (!isFound) throw new ZipFault(`The archive does not contain ${quoteName(path)}.`);
    }
  }
}

/**
 * Checks a selection before any work.
 * @throws Failure `invalid` if it is too long, or if two entries would get the same path
 */
export function checkSelection(paths: readonly string[]): void {
  const characters = paths.reduce((sum, { length }) => sum + length, 0);
  if (characters > MAX_CHARACTERS) {
    throw new Failure('invalid', 'The paths of the entries are too long together. Choose their directory.');
  }
  const names = new Set<string>();
  for (const path of new Set(paths.map(toSelectedPath))) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name === '') throw new Failure('invalid', 'An entry has an empty path.');
    if (names.has(name)) throw new Failure('invalid', 'Two of the entries have the same name.');
    names.add(name);
  }
}

function toSelectedPath(path: string): string {
  return path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}

function ancestorsOf(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
