import { Failure } from '../../base/failure.ts';
import { isDeepPage, MAX_PAGE_SIZE, type Page, type PageRequest } from '../../base/page.ts';
import { childOf, type LogicalPath, ROOT_PATH, segmentsOf } from '../../base/text/names/logical-path.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import type { Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryOrder } from '../entries/entry-order-queries.ts';
import { findLiveEntries } from '../entries/entry-queries.ts';
import {
  getDirectory,
  getEntryWithPath,
  getLiveDirectory,
  getLiveEntry,
  resolvePaths,
} from '../entries/live-entries.ts';
import { readsManyEntries } from '../entries/long-work.ts';
import { MAX_COMPILED_DEPTH } from '../entries/path-walk-queries.ts';
import { BEFORE_ALL_NAMES, type NamePlace } from '../entries/place.ts';
import { countFiles, hasMoreBelow, isLargeTree, sumSubtree } from '../entries/subtree-queries.ts';
import {
  findChildren,
  findChildrenAfter,
  findChildrenAt,
  findDetails,
  findLinkOrigins,
  findRecentFiles,
  type LinkOrigin,
  type ListedChild,
} from './queries.ts';

interface DirectoryTotals {
  readonly totalSize: number | null;
  readonly fileCount: number | null;
  readonly directoryCount: number | null;
}

/** Reads entries of drives. The number of queries does not depend on the size of the drive. */
export class Listing {
  readonly #database: Database;
  readonly #maxTreeEntries: number;

  /** @param maxTreeEntries the maximum number of entries below a directory that {@link findTotals} counts */
  constructor(database: Database, maxTreeEntries: number) {
    this.#database = database;
    this.#maxTreeEntries = maxTreeEntries;
  }

  /**
   * One page of a directory's children.
   * @param signal cancels a read that still waits for its turn
   * @throws Failure `not-found` if there is no such directory; the reason of the signal
   */
  async list(
    driveId: number,
    path: LogicalPath,
    order: EntryOrder,
    page: PageRequest,
    signal?: AbortSignal,
  ): Promise<Page<EntryWithPath>> {
    const isDeep = segmentsOf(path).length > MAX_COMPILED_DEPTH;
    const { items, ...counts } = isDeep
      ? await this.listChildren(await getDirectory(this.#database.db, driveId, path), order, page, signal)
      : await this.#listChildrenAt(driveId, path, order, page, signal);
    return { ...counts, items: items.map((entry) => ({ entry, parentPath: path })) };
  }

  /** One page of the children of a directory that the caller has found. */
  async listChildren(
    directory: Entry,
    order: EntryOrder,
    page: PageRequest,
    signal?: AbortSignal,
  ): Promise<Page<Entry>> {
    const items = await this.#database.readBySize(
      async () => isDeepPage(page),
      (reading) => findChildren(reading, directory.id, order, page),
      signal,
    );
    return { items, total: directory.childCount, page: page.page, size: page.size };
  }

  /**
   * The children of a directory after a place, by name. For lists that are sent without pages.
   * @param after by default, the list begins with the first child
   */
  listAfter(
    directoryId: number,
    after: NamePlace | undefined,
    maxEntries: number,
  ): Promise<readonly ListedChild[]> {
    return findChildrenAfter(this.#database.db, directoryId, after ?? BEFORE_ALL_NAMES, maxEntries);
  }

  async recent(
    driveId: number,
    maxEntries: number,
  ): Promise<readonly (EntryWithPath & { readonly receivedThrough: LinkOrigin | null })[]> {
    const { db } = this.#database;
    const files = await findRecentFiles(db, driveId, Math.min(maxEntries, MAX_PAGE_SIZE));
    const ids = files.map(({ id }) => id);
    const origins = await findLinkOrigins(db, ids);
    const withPaths = await resolvePaths(db, files);
    return withPaths.map((file) => ({ ...file, receivedThrough: origins.get(file.entry.id) ?? null }));
  }

  /**
   * A live entry, for a caller that changes something about it in the same transaction.
   * @throws Failure `not-found`
   */
  getLiveEntry(tx: Tx, driveId: number, id: number): Promise<Entry> {
    return getLiveEntry(tx, driveId, id);
  }

  /** @throws Failure `not-found` if there is no directory at the path */
  getDirectory(driveId: number, path: LogicalPath): Promise<Entry> {
    return getDirectory(this.#database.db, driveId, path);
  }

  /**
   * A live directory. A caller that changes something about it passes its transaction.
   * @param id null for the root of the drive
   * @throws Failure `not-found`; `rejected` for a file
   */
  getLiveDirectory(db: Db, driveId: number, id: number | null): Promise<Entry> {
    return getLiveDirectory(db, driveId, id);
  }

  /** The path of a live directory. @throws Failure `not-found` if it was moved to the recycle bin */
  async getDirectoryPath(db: Db, directory: Entry): Promise<LogicalPath> {
    if (directory.parentId === null) return ROOT_PATH;
    const [placed] = await resolvePaths(db, [directory]);
    if (placed === undefined) throw new Failure('not-found', 'There is no such directory.');
    return childOf(placed.parentPath, directory.name);
  }

  /** A live entry with its path. @throws Failure `not-found` */
  getEntry(driveId: number, id: number): Promise<EntryWithPath> {
    return getEntryWithPath(this.#database.db, driveId, id);
  }

  /** A live entry with its path, read in the caller's transaction. @throws Failure `not-found` */
  getEntryWithPath(tx: Tx, driveId: number, id: number): Promise<EntryWithPath> {
    return getEntryWithPath(tx, driveId, id);
  }

  /**
   * Adds the parent paths. Leaves out entries that were moved to the recycle bin after the caller read them.
   */
  resolvePaths(entries: readonly Entry[]): Promise<readonly EntryWithPath[]> {
    return resolvePaths(this.#database.db, entries);
  }

  /**
   * Live entries of any drive, in the order of the ids. The caller has checked that the request may see them.
   */
  async findInAllDrives(ids: readonly number[]): Promise<readonly EntryWithPath[]> {
    const found = new Map((await findLiveEntries(this.#database.db, ids)).map((entry) => [entry.id, entry]));
    return this.resolvePaths(ids.flatMap((id) => found.get(id) ?? []));
  }

  /** Whether there are more than `maxEntries` entries at and below a directory. Takes little time. */
  isLargeTree(directoryId: number, maxEntries: number): Promise<boolean> {
    return isLargeTree(this.#database.db, directoryId, maxEntries);
  }

  /** The number of files below a directory at any depth. */
  countFiles(directoryId: number): Promise<number> {
    return this.#database.readBySize(readsManyEntries(directoryId), (db) => countFiles(db, directoryId));
  }

  /**
   * The totals of what is below a directory, at any depth. All are null if there are too many entries to
   * count.
   * @param signal cancels a count that still waits for its turn
   */
  async findTotals(directoryId: number, signal?: AbortSignal): Promise<DirectoryTotals> {
    const max = this.#maxTreeEntries;
    const usage = await this.#database.readBySize(
      readsManyEntries(directoryId),
      async (db) =>
        (await hasMoreBelow(db, directoryId, max)) ? undefined : await sumSubtree(db, directoryId, max + 1),
      signal,
    );
    if (usage === undefined) return { totalSize: null, fileCount: null, directoryCount: null };
    const { bytes, files, entries } = usage;
    // The directory itself is among the entries.
    return { totalSize: bytes, fileCount: files, directoryCount: Math.max(0, entries - files - 1) };
  }

  /** @throws Failure `not-found` */
  async details(driveId: number, id: number) {
    const { db } = this.#database;
    const entryWithPath = await getEntryWithPath(db, driveId, id);
    return { ...entryWithPath, ...(await findDetails(db, entryWithPath.entry)) };
  }

  async #listChildrenAt(
    driveId: number,
    path: LogicalPath,
    order: EntryOrder,
    page: PageRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<Entry>> {
    const found = await this.#database.readBySize(
      async () => isDeepPage(page),
      (reading) => findChildrenAt(reading, driveId, segmentsOf(path), order, page),
      signal,
    );
    const total = found?.total ?? (await getDirectory(this.#database.db, driveId, path)).childCount;
    return { items: found?.children ?? [], total, page: page.page, size: page.size };
  }
}
