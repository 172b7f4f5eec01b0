import { lstatSync, type Stats } from 'node:fs';

/** What is at a path, without following a symbolic link; undefined if nothing is. @throws Error of the file system */
export function findStats(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // A file is where its directory was.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}
