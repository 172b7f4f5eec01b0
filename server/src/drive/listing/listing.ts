import { MAX_PAGE_SIZE, type Page, type PageRequest } from '../../base/page.ts';
import type { LogicalPath } from '../../base/text/logical-path.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Entry, EntryWithPath } from '../entries/entry.ts';
import { findLiveEntries } from '../entries/entry-queries.ts';
import { getDirectory, getEntryWithPath, getLiveEntry, resolvePaths } from '../entries/live-entries.ts';
import { countFiles } from '../entries/subtree-queries.ts';
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
