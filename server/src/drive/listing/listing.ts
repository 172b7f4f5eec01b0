import { Failure } from '../../base/failure.ts';
import { MAX_PAGE_SIZE, type Page, type PageRequest } from '../../base/page.ts';
import { type LogicalPath, segmentsOf } from '../../base/text/logical-path.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import type { Entry, EntryWithPath } from '../tree/entry.ts';
import { findLiveEntries, findLiveEntry, findParentPaths, walkPath } from '../tree/entry-queries.ts';
import { countFiles } from '../tree/subtree-queries.ts';
import { findChildren, findDetails, findRecentFiles, type Order } from './queries.ts';

/** Reading a drive's tree: every answer takes the same few queries, whatever the size of the drive. */
export class Listing {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws Failure `not-found` when there is no such directory */
  async list(
    ownerId: number,
    path: LogicalPath,
    order: Order,
    page: PageRequest,
  ): Promise<Page<EntryWithPath>> {
    const { db } = this.#database;
    const directory = await getDirectory(db, ownerId, path);
    const children = await findChildren(db, directory.id, order, page);
    return {
      items: children.map((entry) => ({ entry, parentPath: path })),
      total: directory.childCount,
      page: page.page,
      size: page.size,
    };
  }

  async recent(ownerId: number, most: number): Promise<readonly EntryWithPath[]> {
    const files = await findRecentFiles(this.#database.db, ownerId, Math.min(most, MAX_PAGE_SIZE));
    return resolvePaths(this.#database.db, files);
  }

  /** For those who change something about it in the same transaction. @throws Failure `not-found` */
  getLiveEntry(tx: Tx, ownerId: number, id: number): Promise<Entry> {
    return getLiveEntry(tx, ownerId, id);
  }

  /** A live entry and where it lies. @throws Failure `not-found` */
  getEntry(ownerId: number, id: number): Promise<EntryWithPath> {
    return getEntryWithPath(this.#database.db, ownerId, id);
  }

  /** The same with the directory that it lies in. @throws Failure `not-found` */
  getEntryWithPath(tx: Tx, ownerId: number, id: number): Promise<EntryWithPath> {
    return getEntryWithPath(tx, ownerId, id);
  }

  /** Entries with the directories that they lie in; what is moved to the bin meanwhile is left out. */
  resolvePaths(entries: readonly Entry[]): Promise<readonly EntryWithPath[]> {
    return resolvePaths(this.#database.db, entries);
  }

  /** Live files and directories of any drives, in the order of the ids; for those who may see them all. */
  async findInAllDrives(ids: readonly number[]): Promise<readonly EntryWithPath[]> {
    const found = new Map((await findLiveEntries(this.#database.db, ids)).map((entry) => [entry.id, entry]));
    return this.resolvePaths(ids.flatMap((id) => found.get(id) ?? []));
  }

  /** How many files lie below a directory, on all levels; with `most` no more than that are looked for. */
  countFiles(directoryId: number, most?: number): Promise<number> {
    return countFiles(this.#database.db, directoryId, most);
  }

  /** @throws Failure `not-found` */
  async details(ownerId: number, id: number) {
    const { db } = this.#database;
    const placed = await getEntryWithPath(db, ownerId, id);
    return { ...placed, ...(await findDetails(db, placed.entry)) };
  }
}

/** @throws Failure `not-found` when the path leads to nothing or to a file */
export async function getDirectory(db: Db, ownerId: number, path: LogicalPath): Promise<Entry> {
  return (await getDirectoryChain(db, ownerId, path)).at(-1) as Entry;
}

/** The directory with all that it lies in, the root first. */
export async function getDirectoryChain(
  db: Db,
  ownerId: number,
  path: LogicalPath,
): Promise<readonly Entry[]> {
  const names = segmentsOf(path);
  const chain = await walkPath(db, ownerId, names);
  if (chain.length <= names.length || !chain.at(-1)?.isDirectory) {
    throw new Failure('not-found', `There is no directory ${path}.`);
  }
  return chain;
}

/** @throws Failure `not-found` when there is no such entry, or it is not the owner's, or it is in the recycle bin */
export async function getLiveEntry(db: Db, ownerId: number, id: number): Promise<Entry> {
  const entry = await findLiveEntry(db, ownerId, id);
  if (entry === undefined) throw new Failure('not-found', 'There is no such file or directory.');
  return entry;
}

/** @throws Failure `not-found` */
export async function getEntryWithPath(db: Db, ownerId: number, id: number): Promise<EntryWithPath> {
  const entry = await getLiveEntry(db, ownerId, id);
  const [placed] = await resolvePaths(db, [entry]);
  if (placed === undefined) throw new Failure('not-found', 'There is no such file or directory.');
  return placed;
}

/** An entry that is moved to the bin between the two queries of a read has no path any more and is left out. */
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
