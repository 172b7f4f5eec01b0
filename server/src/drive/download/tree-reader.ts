import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import type { ZipEntry } from '../../formats/zip/writing/writer.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import type { Entry, EntryWithPath } from '../entries/entry.ts';
import { findEntryWithObject } from '../entries/entry-object-queries.ts';
import { resolvePaths } from '../entries/live-entries.ts';
import { readsManyEntries } from '../entries/long-work.ts';
import { BEFORE_ALL_NAMES, type NamePlace } from '../entries/place.ts';
import { countTree, type TreeTotals } from '../entries/subtree-queries.ts';
import { getTopEntries } from './top-entries.ts';
import { findWalkedChildren, type WalkedEntry } from './tree-reader-queries.ts';
import { toZipEntry } from './zip-entries.ts';

/** A live entry that is read, with its path and the location of its bytes. */
export interface SourceEntry extends EntryWithPath {
  /** Null for a directory. */
  readonly location: ObjectLocation | null;
}

/** The number of entries that are in memory at a time, besides the directories that have yet to be read. */
const BATCH_SIZE = 1_000;

interface OpenDirectory {
  readonly id: number;
  readonly path: string;
  readonly childCount: number;
}

interface TreeReaderParts {
  readonly database: Database;
  readonly blobs: Blobs;
}

/** Reads trees of any size in batches, without loading them into memory. */
export class TreeReader {
  readonly #parts: TreeReaderParts;

  constructor(parts: TreeReaderParts) {
    this.#parts = parts;
  }

  /** Returns undefined if the entry does not exist or is in the recycle bin. */
  async findSource(driveId: number, entryId: number): Promise<SourceEntry | undefined> {
    const { db } = this.#parts.database;
    const found = await findEntryWithObject(db, driveId, entryId);
    if (found === undefined) return undefined;
    const [entryWithPath] = await resolvePaths(db, [found.entry]);
    return entryWithPath && { ...entryWithPath, location: found.location };
  }

  /** See {@link getTopEntries}. */
  getTopEntries(driveId: number, ids: readonly number[]): Promise<readonly WalkedEntry[]> {
    return getTopEntries(this.#parts.database.db, driveId, ids);
  }

  /** The totals of the entries that {@link readZipEntries} yields. */
  async countTotals(top: readonly WalkedEntry[]): Promise<TreeTotals> {
    const totals = { files: 0, directories: 0, bytes: 0 };
    for (const { id, isDirectory, size } of top) {
      const tree = isDirectory
        ? await this.#parts.database.readBySize(readsManyEntries(id), (db) => countTree(db, id))
        : { files: 1, directories: 0, bytes: size };
      totals.files += tree.files;
      totals.directories += tree.directories;
      totals.bytes += tree.bytes;
    }
    return totals;
  }

  /**
   * Yields the entries and everything below them as entries of an archive. A directory precedes its children.
   * An entry that changes during the walk is yielded in its old or its new state.
   */
  async *readZipEntries(top: readonly WalkedEntry[]): AsyncGenerator<ZipEntry> {
    for (const entry of top) {
      yield toZipEntry(this.#parts.blobs, entry.name, entry);
      for await (const { path, child } of this.walk(entry)) yield toZipEntry(this.#parts.blobs, path, child);
    }
  }

  /**
   * Yields everything below an entry, with its path, which begins with the name of the entry. A directory
   * precedes its children.
   */
  async *walk(
    entry: Pick<Entry, 'id' | 'name' | 'isDirectory' | 'childCount'>,
  ): AsyncGenerator<{ readonly path: string; readonly child: WalkedEntry }> {
    const open: OpenDirectory[] = [];
    if (entry.isDirectory) open.push({ id: entry.id, path: entry.name, childCount: entry.childCount });
    for (let group = takeGroup(open); group.length > 0; group = takeGroup(open)) {
      const pathOf = new Map(group.map(({ id, path }) => [id, path]));
      for await (const child of this.#childrenOf(group)) {
        const path = `${pathOf.get(child.parentId)}/${child.name}`;
        if (child.isDirectory) open.push({ id: child.id, path, childCount: child.childCount });
        yield { path, child };
      }
    }
  }

  async *#childrenOf(group: readonly OpenDirectory[]): AsyncGenerator<WalkedEntry> {
    const ids = group.map(({ id }) => id);
    // A group of several directories fits into one page, unless another request adds children right now.
    const limit = ids.length === 1 ? BATCH_SIZE : Number.MAX_SAFE_INTEGER;
    for (let after: NamePlace = BEFORE_ALL_NAMES; ; ) {
      const page = await findWalkedChildren(this.#parts.database.db, ids, { after, limit });
      yield* page;
      // On SQLite the query itself does not let other requests run.
      await yieldToEventLoop();
      const last = page.at(-1);
      if (last === undefined || page.length < limit) return;
      after = last;
    }
  }
}

/**
 * Takes directories from the end of the list: several that together fit into one page, or a single larger
 * one.
 */
function takeGroup(open: OpenDirectory[]): readonly OpenDirectory[] {
  const group: OpenDirectory[] = [];
  let children = 0;
  while (group.length < BATCH_SIZE) {
    const next = open.at(-1);
    if (next === undefined || (group.length > 0 && children + next.childCount > BATCH_SIZE)) break;
    open.pop();
    if (next.childCount === 0) continue;
    group.push(next);
    children += next.childCount;
  }
  return group;
}
