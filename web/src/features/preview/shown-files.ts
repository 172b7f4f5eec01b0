import type { EntryRecord } from '../../../../client/src/client.ts';
import type { EntrySource } from '../entries/entry-source.ts';

/** The maximum number of files that are at hand on each side of the shown one. */
const AROUND = 20;

/** A file of a list, and the files around it. They change whenever the list changes or loads more. */
export interface ShownFiles {
  readonly entry: EntryRecord;
  /** The nearest loaded files before it, in the order of the list. */
  readonly before: readonly EntryRecord[];
  readonly after: readonly EntryRecord[];
  /** Whether there are files before it, loaded or not. */
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  /** The position among all files of the list, from 0. */
  readonly place: number;
  readonly total: number;
}

/** Shows a file that is in no list. */
export function showAlone(entry: EntryRecord): ShownFiles {
  return { entry, before: [], after: [], hasPrevious: false, hasNext: false, place: 0, total: 1 };
}

/**
 * @param at the index of the file; if it has left the list, the index of the entry that took its place
 * @param isListed whether the file is still in the list
 */
export function showAmong(
  entry: EntryRecord,
  source: EntrySource<EntryRecord>,
  at: number,
  isListed: boolean,
): ShownFiles {
  const before = findFiles(source, at - 1, -1);
  const after = findFiles(source, isListed ? at + 1 : at, 1);
  const directories = source.loaded(0, source.total - 1).filter((loaded) => loaded.entry.directory);
  const directoriesBefore = directories.filter(({ index }) => index < at).length;
  return {
    entry,
    before: before.files.toReversed(),
    after: after.files,
    hasPrevious: before.files.length > 0 || before.isPartial,
    hasNext: after.files.length > 0 || after.isPartial,
    place: at - directoriesBefore,
    total: Math.max(1, (source.finalTotal ?? source.total) - directories.length),
  };
}

/** The loaded files from an index on, in one direction. Partial if the next entry is not loaded yet. */
function findFiles(source: EntrySource<EntryRecord>, from: number, step: -1 | 1) {
  const files: EntryRecord[] = [];
  for (let index = from; index >= 0 && index < source.total && files.length < AROUND; index += step) {
    const entry = source.at(index);
    if (entry === undefined) return { files, isPartial: true };
    if (!entry.directory) files.push(entry);
  }
  return { files, isPartial: false };
}
