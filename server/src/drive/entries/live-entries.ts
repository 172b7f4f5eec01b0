import { Failure } from '../../base/failure.ts';
import { type LogicalPath, ROOT_PATH, segmentsOf } from '../../base/text/names/logical-path.ts';
import type { Db } from '../../database/database.ts';
import type { Entry, EntryWithPath } from './entry.ts';
import { findLiveEntries, findLiveEntry, findParentPaths } from './entry-queries.ts';
import { walkPath } from './path-walk-queries.ts';

/** @throws Failure `not-found` if there is nothing at the path, or a file */
export async function getDirectory(db: Db, ownerId: number, path: LogicalPath): Promise<Entry> {
  return (await getDirectoryChain(db, ownerId, path)).at(-1) as Entry;
}

/** The directory and its ancestors, the root first. @throws Failure `not-found` like {@link getDirectory} */
export async function getDirectoryChain(
  db: Db,
  ownerId: number,
  path: LogicalPath,
): Promise<readonly Entry[]> {
  const names = segmentsOf(path);
  const chain = await walkPath(db, ownerId, names);
  if (chain.length <= names.length || !chain.at(-1)?.isDirectory) {
    throw noDirectory(path);
  }
  return chain;
}

export function noDirectory(path: LogicalPath): Failure {
  return new Failure('not-found', `There is no directory ${path}.`);
}

/** @throws Failure `not-found` if the entry does not exist, has another owner or is in the recycle bin */
export async function getLiveEntry(db: Db, ownerId: number, id: number): Promise<Entry> {
  const entry = await findLiveEntry(db, ownerId, id);
  if (entry === undefined) throw new Failure('not-found', 'There is no such file or directory.');
  return entry;
}

/**
 * @param id null for the root of the drive, which is also found by its id
 * @throws Failure `not-found` as {@link getLiveEntry}; `rejected` for a file
 */
export async function getLiveDirectory(db: Db, ownerId: number, id: number | null): Promise<Entry> {
  if (id === null) return getDirectory(db, ownerId, ROOT_PATH);
  const [entry] = await findLiveEntries(db, [id]);
  if (entry?.ownerId !== ownerId) throw new Failure('not-found', 'There is no such file or directory.');
  if (!entry.isDirectory) throw new Failure('rejected', 'This is not a directory.');
  return entry;
}

/** @throws Failure `not-found` */
export async function getEntryWithPath(db: Db, ownerId: number, id: number): Promise<EntryWithPath> {
  const entry = await getLiveEntry(db, ownerId, id);
  const [entryWithPath] = await resolvePaths(db, [entry]);
  if (entryWithPath === undefined) throw new Failure('not-found', 'There is no such file or directory.');
  return entryWithPath;
}

/**
 * Adds the parent paths. Leaves out entries that were moved to the recycle bin after the caller read them.
 */
export async function resolvePaths(db: Db, entries: readonly Entry[]): Promise<readonly EntryWithPath[]> {
  const paths = await findParentPaths(
    db,
    entries.map((entry) => entry.id),
  );
  return entries.flatMap((entry) => {
    const parentPath = paths.get(entry.id);
    return parentPath === undefined ? [] : [{ entry, parentPath }];
  });
}
