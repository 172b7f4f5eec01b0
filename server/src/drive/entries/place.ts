import type { FileName } from '../../base/text/names/file-name.ts';
import type { LogicalPath } from '../../base/text/names/logical-path.ts';
import type { Entry } from './entry.ts';

/** A name in a directory that exists. */
export interface Place {
  readonly directory: Entry;
  /** The path of the directory. */
  readonly directoryPath: LogicalPath;
  readonly name: FileName;
}

/** The place in a directory for an entry that keeps its name. */
export function placeFor(entry: Entry, directory: Entry, directoryPath: LogicalPath): Place {
  return { directory, directoryPath, name: entry.name as FileName };
}

/**
 * The place of an entry in a list by name. The list can continue after it, even if entries were added or
 * removed meanwhile.
 */
export interface NamePlace {
  readonly sortName: string;
  readonly name: string;
}

export const BEFORE_ALL_NAMES: NamePlace = { sortName: '', name: '' };
