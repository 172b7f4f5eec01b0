import { Turns } from '../../base/concurrency/turns.ts';
import { Failure } from '../../base/failure.ts';
import { type LogicalPath, ROOT_PATH, segmentsOf } from '../../base/text/names/logical-path.ts';
import type { Db } from '../../database/database.ts';
import type { Entry, EntryWithPath } from './entry.ts';
import { type Ancestor, findLiveEntries, findLiveEntry, findWithAncestors } from './entry-queries.ts';
import { walkPath } from './path-walk-queries.ts';

/** @throws Failure `not-found` if there is nothing at the path, or a file */
export async function getDirectory(db: Db, driveId: number, path: LogicalPath): Promise<Entry> {
  return (await getDirectoryChain(db, driveId, path)).at(-1) as Entry;
}

/** The directory and its ancestors, the root first. @throws Failure `not-found` like {@link getDirectory} */
export async function getDirectoryChain(
  db: Db,
  driveId: number,
  path: LogicalPath,
): Promise<readonly Entry[]> {
  const names = segmentsOf(path);
  const chain = await walkPath(db, driveId, names);
  if (chain.length <= names.length || !chain.at(-1)?.isDirectory) {
    throw noDirectory(path);
  }
  return chain;
}

export function noDirectory(path: LogicalPath): Failure {
  return new Failure('not-found', `There is no directory ${path}.`);
}

/** @throws Failure `not-found` if the entry does not exist, is in another drive or in the recycle bin */
export async function getLiveEntry(db: Db, driveId: number, id: number): Promise<Entry> {
  const entry = await findLiveEntry(db, driveId, id);
  if (entry === undefined) throw new Failure('not-found', 'There is no such file or directory.');
  return entry;
}

/**
 * @param id null for the root of the drive, which its own id also finds
 * @throws Failure `not-found` as {@link getLiveEntry}; `rejected` for a file
 */
export async function getLiveDirectory(db: Db, driveId: number, id: number | null): Promise<Entry> {
  if (id === null) return getDirectory(db, driveId, ROOT_PATH);
  const [entry] = await findLiveEntries(db, [id]);
  if (entry?.driveId !== driveId) throw new Failure('not-found', 'There is no such file or directory.');
  if (!entry.isDirectory) throw new Failure('rejected', 'This is not a directory.');
  return entry;
}

/** @throws Failure `not-found` */
export async function getEntryWithPath(db: Db, driveId: number, id: number): Promise<EntryWithPath> {
  const entry = await getLiveEntry(db, driveId, id);
  const [entryWithPath] = await resolvePaths(db, [entry]);
  if (entryWithPath === undefined) throw new Failure('not-found', 'There is no such file or directory.');
  return entryWithPath;
}

/** The maximum number of entries whose paths one statement finds. */
const ENTRIES_PER_STATEMENT = 250;

/**
 * Adds the parent paths. Leaves out entries that were moved to the recycle bin after the caller read them.
 * SQLite queries block the event loop, so other requests get a turn between the statements.
 */
export async function resolvePaths(db: Db, entries: readonly Entry[]): Promise<readonly EntryWithPath[]> {
  const placed: EntryWithPath[] = [];
  const turns = new Turns();
  for (let at = 0; at < entries.length; at += ENTRIES_PER_STATEMENT) {
    if (turns.isOver()) await turns.next();
    const some = entries.slice(at, at + ENTRIES_PER_STATEMENT);
    const ids = some.map(({ id }) => id);
    const paths = toParentPaths(ids, await findWithAncestors(db, ids));
    for (const entry of some) {
      const parentPath = paths.get(entry.id);
      if (parentPath !== undefined) placed.push({ entry, parentPath });
    }
  }
  return placed;
}

/**
 * The path of the parent directory of each entry, by entry id, without entries in the recycle bin. Each
 * directory's path is built only once: a thousand entries in it share one string.
 *
 * @param ancestors the entries, and all directories above them
 */
function toParentPaths(
  ids: readonly number[],
  ancestors: readonly Ancestor[],
): ReadonlyMap<number, LogicalPath> {
  const byId = new Map(ancestors.map((ancestor) => [ancestor.id, ancestor]));
  const directoryPaths = new Map<number, string>();
  const paths = new Map<number, LogicalPath>();
  for (const id of ids) {
    const entry = byId.get(id);
    if (entry === undefined || entry.isInBin || entry.parentId === null) continue;
    const path = toDirectoryPath(entry.parentId, byId, directoryPaths);
    // The paths consist of names that were checked when they were stored.
    paths.set(id, (path === '' ? ROOT_PATH : path) as LogicalPath);
  }
  return paths;
}

/**
 * The path of a directory; empty for the root. Adds it to `known`, with the paths of the directories above
 * it.
 */
function toDirectoryPath(
  id: number,
  byId: ReadonlyMap<number, Ancestor>,
  known: Map<number, string>,
): string {
  const pending: Ancestor[] = [];
  let above = byId.get(id);
  while (above !== undefined && above.parentId !== null && !known.has(above.id)) {
    pending.push(above);
    above = byId.get(above.parentId);
  }
  let path = above === undefined ? '' : (known.get(above.id) ?? '');
  for (const directory of pending.reverse()) {
    path = `${path}/${directory.name}`;
    known.set(directory.id, path);
  }
  return path;
}
