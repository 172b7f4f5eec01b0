import { Failure } from '../../base/failure.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import { type LogicalPath, segmentsOf } from '../../base/text/names/logical-path.ts';
import type { Database, Db } from '../../database/database.ts';
import type { DownloadClient } from '../../http/download/download-client.ts';
import type { Download, Downloads } from '../download/downloads.ts';
import type { Entry } from '../entries/entry.ts';
import type { EntryWithObject } from '../entries/entry-object-queries.ts';
import type { EntryOrder } from '../entries/entry-order-queries.ts';
import type { Listing } from '../listing/listing.ts';
import { findBelow } from './queries.ts';

/**
 * The maximum number of names in the paths of one query. Each thousand blocks the event loop for a few
 * milliseconds.
 */
const MAX_NAMES = 3_000;

interface SubtreesParts {
  readonly database: Database;
  readonly listing: Listing;
  readonly downloads: Downloads;
}

/**
 * Reads what is below one directory, for callers who may not see the rest of the drive. Paths begin at that
 * directory: `/` is the directory itself. They are followed downwards name by name, so none leads out of it.
 */
export class Subtrees {
  readonly #parts: SubtreesParts;

  constructor(parts: SubtreesParts) {
    this.#parts = parts;
  }

  /**
   * The entry at a path, and the location of its bytes.
   * @param top the live directory that the paths begin at, as the caller has read it
   * @throws Failure `not-found`
   */
  async get(db: Db, top: Entry, path: LogicalPath): Promise<EntryWithObject> {
    const [found] = await this.#getAll(db, top, [path]);
    if (found === undefined) throw noSuchEntry();
    return found;
  }

  /** See {@link get}. */
  find(top: Entry, path: LogicalPath): Promise<EntryWithObject> {
    return this.get(this.#parts.database.db, top, path);
  }

  /**
   * Checks that a download of these paths has something to send.
   * @throws Failure `not-found`; `invalid` if the paths are too many or too long
   */
  async checkAll(top: Entry, paths: readonly LogicalPath[]): Promise<void> {
    checkNotTooMany(paths);
    await this.#getAll(this.#parts.database.db, top, paths);
  }

  /**
   * One page of the children of a directory.
   * @param signal cancels a read that still waits for its turn
   * @throws Failure `not-found` if there is no directory at the path; the reason of the signal
   */
  async list(
    top: Entry,
    path: LogicalPath,
    order: EntryOrder,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<Entry>> {
    const { entry } = await this.find(top, path);
    if (!entry.isDirectory) throw noSuchEntry();
    return await this.#parts.listing.listChildren(entry, order, page, signal);
  }

  /**
   * Opens the download of these paths: the bytes of a single file, otherwise one archive.
   * @param name the name of the archive, and of the top directory in it
   * @throws Failure `not-found`; `invalid` for too many and too long paths; as `OpenArchives.read`
   */
  async open(
    top: Entry,
    paths: readonly LogicalPath[],
    name: string,
    client: DownloadClient,
  ): Promise<Download> {
    const wanted = [...new Set(paths)];
    checkNotTooMany(wanted);
    const found = await this.#getAll(this.#parts.database.db, top, wanted);
    const entries = new Map(found.map((each) => [each.entry.id, each]));
    const [first] = found;
    if (first === undefined) throw noSuchEntry();
    // The top directory contains all other paths.
    if (entries.has(top.id)) return await this.#parts.downloads.openDirectory({ ...top, name }, client);
    if (entries.size > 1) {
      const names = [...entries.values()].map((each) => each.entry.name);
      return await this.#parts.downloads.openAll(top.driveId, [...entries.keys()], nameOfAll(names), client);
    }
    const { entry, location } = first;
    if (location === null) return await this.#parts.downloads.openDirectory(entry, client);
    return { kind: 'file', file: this.#parts.downloads.toFile(entry, location) };
  }

  /**
   * Returns the entries in the order of the paths.
   * @throws Failure `not-found` if there is nothing at one of them
   */
  async #getAll(db: Db, top: Entry, paths: readonly LogicalPath[]): Promise<readonly EntryWithObject[]> {
    const names = paths.map(segmentsOf);
    const below = await findBelow(db, top.id, names);
    return names.map((segments, index) => {
      const found = segments.length === 0 ? { entry: top, location: null } : below[index];
      if (found === undefined) throw noSuchEntry();
      return found;
    });
  }
}

/** The maximum number of characters per name. Two such names always fit into one name, in any script. */
const MAX_PART = 30;

/** The name of an archive of several entries: "Photos and Work", "Photos and 3 more". */
function nameOfAll(names: readonly string[]): string {
  const [first = '', second = ''] = names.map((name) => Array.from(name).slice(0, MAX_PART).join('').trim());
  return names.length === 2 ? `${first} and ${second}` : `${first} and ${names.length - 1} more`;
}

/** @throws Failure `invalid` */
function checkNotTooMany(paths: readonly LogicalPath[]): void {
  let names = 0;
  for (const path of paths) names += segmentsOf(path).length;
  if (names <= MAX_NAMES) return;
  throw new Failure('invalid', `The paths must not have more than ${MAX_NAMES} names in all.`);
}

function noSuchEntry(): Failure {
  return new Failure('not-found', 'There is no such file or directory.');
}
